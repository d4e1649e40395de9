import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, commandsOf } from './markdown.ts';
import { runCommand } from './run-command.ts';

const folder = process.argv[2] ?? '.';
const readme = readFileSync(join(folder, 'README.md'), 'utf8');
const [block] = blocksOf(readme).filter(({ language }) => language === 'console');
const [shown] = block === undefined ? [] : commandsOf(block);
if (shown === undefined) {
  console.error('README.md shows no command');
  process.exit(1);
}
const { exitCode, output, stdout } = runCommand(shown.command, folder);
console.log(`$ ${shown.command}\n${output}\n(exit code ${exitCode})`);
if (stdout !== shown.output) {
  console.error(`standard output:\n${stdout}\nREADME.md says:\n${shown.output}`);
  process.exitCode = 1;
}
