// Measures the peak memory of `kubeadmit check` in each format; exits with 1 if it exceeds 400 MB.
//
//   pnpm --filter @kubeadmit/cli... build
//   node bench/many.js FOLDER && node bench/memory.js FOLDER [FORMAT…]

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const most = 400;
const [folder, ...asked] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder that bench/many.js wrote');
const all = 'text json ndjson yaml sarif github gitlab markdown junit tap policyreport';
const formats = asked.length > 0 ? asked : all.split(' ');
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** Tells the resident memory of the process at its highest, in KiB, when it ends. */
const teller = `import { writeSync } from 'node:fs';
process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));`;

console.log('| format | peak memory, MB |');
console.log('| --- | ---: |');
for (const format of formats) {
  const peak = peakOf(format).toFixed(0);
  console.log(`| ${format} | ${peak} |`);
  if (Number(peak) > most) process.exitCode = 1;
}

function peakOf(format) {
  const given = ['-p', `${folder}/policies`, '-r', `${folder}/manifests`, '--exit-zero'];
  const { status, output } = spawnSync(
    process.execPath,
    [
      `--import=data:text/javascript,${encodeURIComponent(teller)}`,
      program,
      'check',
      ...given,
      `--output=${format}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'pipe'], encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${format}: ended with ${status}`);
  return (Number(output[3]) * 1024) / 1e6;
}
