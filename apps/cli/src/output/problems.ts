import { formatPlace, type InputProblem } from '@kubeadmit/manifest';
import { excerpt } from './excerpt.ts';
import { inputHint } from './input-hint.ts';
import { indentLines, printable, printableLine, type Style } from './style.ts';

/**
 * A problem for people: `file:line:column: error: message [code]`, then the lines around it with a caret, and a hint.
 */
export function problemText(
  problem: InputProblem,
  severity: 'error' | 'warning' | 'info',
  style: Style,
  code?: string,
): string {
  const { file, place, message, source, from } = problem;
  const where = formatPlace(file, place);
  const colour = { error: style.red, warning: style.yellow, info: style.cyan }[severity];
  const word = colour(severity);
  const rule = code === undefined ? '' : style.dim(` [${code}]`);
  const head = `${style.bold(printableLine(where))}: ${word}: ${printable(message)}${rule}\n`;
  if (place === undefined || source === undefined) return head;
  const hint = inputHint(message, source, place);
  const advice = hint === undefined ? '' : `  ${style.cyan(`hint: ${hint}`)}\n`;
  return `${head}${indentLines(excerpt(source, place, from ?? place.line, style), '  ')}\n${advice}`;
}
