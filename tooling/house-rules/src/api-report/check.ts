import { readText, reports } from './report.ts';

const wrong = reports().filter(({ path, text }) => readText(path) !== text);
for (const { path, text } of wrong) {
  const listed = new Set(readText(path)?.split('\n'));
  const actual = new Set(text.split('\n'));
  console.error(`${path} is not what the sources export:`);
  for (const line of listed) if (!actual.has(line)) console.error(`  gone: ${line}`);
  for (const line of actual) if (!listed.has(line)) console.error(`  new:  ${line}`);
}
if (wrong.length > 0) {
  console.error('`pnpm run api-report` updates the reports');
  process.exitCode = 1;
}
