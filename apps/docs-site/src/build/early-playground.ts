import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What of a page and its site is asked for. */
interface PageContext {
  /** The page's file of Markdown within the site. */
  readonly page: string;
  readonly siteConfig: { readonly outDir: string };
  readonly siteData: { readonly base: string };
}

/** What VitePress fetches early, its data that every script of the site reads, and its layout. */
const preload = /\s*<link rel="modulepreload" href="[^"]*">/g;
const dataScript = /\s*<script type="module" src="([^"]*\/metadata\.[^"]+)"><\/script>/;
const layoutScript = /\s*<script type="module" src="([^"]*\/app\.[^"]+)"><\/script>/;

/**
 * Until the first verdict the layout shows no pictures: each icon is a document of its own to a browser, and all of
 * them together take a tenth of the time until then. They keep their places.
 */
const withoutPictures = [
  '[class^="vpi-"],[class*=" vpi-"]{mask:none!important;-webkit-mask:none!important;background:none!important}',
  '.VPNavBarTitle .logo{display:none}',
  '.VPNavBarTitle .title::before{content:"";width:24px;margin-right:8px}',
].join('');

/**
 * Has the page of the playground begin with the playground: its worker starts with the first line, so that the engines
 * are loaded on another thread by the time that they are asked, and the layout of VitePress, which takes longer to
 * start than a verdict, starts after the first verdict. Other pages stay as they are.
 */
export function withEarlyPlayground(
  html: string,
  { page, siteConfig, siteData }: PageContext,
): string {
  if (page !== 'playground/index.md') return html;
  const addressOf = (folder: string, name: RegExp): string => {
    const found = readdirSync(join(siteConfig.outDir, folder)).filter((file) => name.test(file));
    if (found.length !== 1) throw new Error(`${found.length} files in ${folder} fit ${name}`);
    return `${siteData.base}${folder}/${found[0]}`;
  };
  const worker = JSON.stringify(addressOf('assets', /^worker-[\w-]+\.js$/));
  const start = addressOf('assets/chunks', /^start\.[\w-]+\.js$/);
  const importsOf = (script: string): string[] => {
    const text = readFileSync(join(siteConfig.outDir, script.slice(siteData.base.length)), 'utf8');
    return [...text.matchAll(/\bimport\s*\{[^}]*\}\s*from\s*["']\.\/([^"']+)["']/g)].map(
      ([, name]) => `${siteData.base}assets/chunks/${name}`,
    );
  };
  const [dataTag, data] = dataScript.exec(html) ?? [];
  const [layoutTag, layout] = layoutScript.exec(html) ?? [];
  if (dataTag === undefined || layoutTag === undefined)
    throw new Error('the page of the playground has other scripts than VitePress had');
  const without = html
    .replaceAll(preload, '')
    .replace(dataTag, '')
    .replace(layoutTag, '')
    // What is not displayed is not loaded then.
    .replace('<img class="VPImage logo"', '<img loading="lazy" class="VPImage logo"');
  if (!without.includes('loading="lazy"')) throw new Error('the logo stands there in another way');
  const head = [
    `<script>(window.kubeadmitWorker=new Worker(${worker},{type:"module",name:"early"})).onmessage=({data})=>{window.kubeadmitEarly=data}</script>`,
    `<style id="early-style">${withoutPictures}</style>`,
    ...[start, ...importsOf(start)].map((each) => `<link rel="modulepreload" href="${each}">`),
    `<script type="module" src="${data}"></script>`,
    `<script type="module">import(${JSON.stringify(start)}).then(()=>window.kubeadmitShown).catch(()=>{}).then(()=>{document.getElementById("early-style").remove();return import(${JSON.stringify(layout)})})</script>`,
  ];
  return without.replace(/<meta charset="utf-8">/i, (charset) => [charset, ...head].join('\n    '));
}
