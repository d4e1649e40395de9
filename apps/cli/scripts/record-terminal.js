// Runs commands of the README and draws them as an animated SVG. Needs the built program.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const image = path('../../docs-site/public/screens/terminal.svg');

const commands = [
  ['check', '-q', 'examples/no-latest-tag'],
  ['explain', 'examples/no-latest-tag'],
  ['test', '--coverage', 'examples/replica-limits'],
];

const colours = [
  [/^\$/, '#7dd3fc'],
  [/✗|denied/, '#fca5a5'],
  [/✓|^ok|allowed/, '#86efac'],
];
const [lineHeight, left, top, columns] = [20, 20, 34, 110];

const lines = commands.flatMap((args) => {
  const { stdout } = spawnSync(process.execPath, [path('../dist/main.js'), ...args], {
    cwd: path('../../../'),
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  const shown = args.map((each) => each.replace(/^examples\//, ''));
  const output = stdout.trimEnd().split('\n').slice(0, 9);
  return [
    `$ kubeadmit ${shown.join(' ')}`,
    ...output.map((line) => line.replaceAll('examples/', '')),
    '',
  ];
});
lines.pop();

const escaped = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const cut = (line) => (line.length > columns ? `${line.slice(0, columns - 1)}…` : line);
const texts = lines.map((line, at) => {
  const [, colour = '#e2e8f0'] = colours.find(([pattern]) => pattern.test(line)) ?? [];
  const delay = (at * 0.25).toFixed(2);
  return `<text x="${left}" y="${top + at * lineHeight}" fill="${colour}" style="animation-delay:${delay}s">${escaped(cut(line))}</text>`;
});
const height = top + lines.length * lineHeight;

writeFileSync(
  image,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 ${height}" role="img" aria-label="A terminal: kubeadmit check denies Deployments, explain shows the reason, test runs the tests">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; animation: show 0.2s both; }
@keyframes show { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { text { animation: none; } }
</style>
<rect width="900" height="${height}" rx="10" fill="#0f172a"/>
${texts.join('\n')}
</svg>
`,
);
