import { compileRegex } from './src/text/regex.ts';
const pats = ['(', '[', 'a**','a{1001}','(?P<n>a)(?P<n>b)','(?P<1n>a)','(?<n>a)','\\','\\8','[z-a]','(?i','x{2}{3}','[[:foo:]]','\\pX','(?=a)','a)', '*', '(?P=n)', '((((((a{100}){100}){100}){100}){100})', '(?:'.repeat(1001)+')'.repeat(1001), 'a{1000}{2}','(a{1000}){2}','\\Q(\\E','[a-\\d]','(?z)','\\x{110000}','\\xZ','a{,2}','(?<=a)b','(?P<n>'];
for (const p of pats) { const r = compileRegex(p); console.log(JSON.stringify(p.slice(0,40)), 'error' in r ? r.error.slice(0,100) : 'ok'); }
const r = compileRegex('[0-9]*') as any;
console.log(r.findAll('123 abc 456', -1), r.findAll('a😀b', -1), (compileRegex('.') as any).findAll('a😀b', -1), (compileRegex('') as any).findAll('a😀b', -1), (compileRegex('.') as any).find('😀'));
for (const [p, t] of [['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$','my-deployment-name-12345'],['^registry\\.example\\.com/.*','registry.example.com/foo/bar:1.2'],['wor.*d','hello world this is some text'],['^[^:]+:[^:]+$','registry/foo:latest']] as const) {
  const re = compileRegex(p) as any; const js = new RegExp(p,'u');
  for (let i=0;i<20000;i++) re.test(t);
  let t0=performance.now(); for (let i=0;i<200000;i++) re.test(t); const a=(performance.now()-t0)/200000*1e6;
  t0=performance.now(); for (let i=0;i<200000;i++) js.test(t); const b=(performance.now()-t0)/200000*1e6;
  console.log(p, a.toFixed(0)+'ns', b.toFixed(0)+'ns');
}
