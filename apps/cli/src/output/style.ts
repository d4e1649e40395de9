import type { Output, Terminal } from '../process/terminal.ts';
import { escaped, withoutCommands } from './ci-commands.ts';

/** Dresses parts of a text for one output stream; plain unless it is a terminal. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
}

/** Whether a stream takes colours: only a terminal does, and never with `NO_COLOR`. */
export function takesColours(output: Output, env: Terminal['env']): boolean {
  return output.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

/** The style for a stream: colours where it takes them. */
export function styleFor(output: Output, env: Terminal['env']): Style {
  return takesColours(output, env) ? colouredStyle : plainStyle;
}

function styleOf(dress: (open: number, close: number) => (text: string) => string): Style {
  return {
    bold: dress(1, 22),
    dim: dress(2, 22),
    red: dress(31, 39),
    yellow: dress(33, 39),
    green: dress(32, 39),
    cyan: dress(36, 39),
  };
}

/** The style of terminals. */
export const colouredStyle: Style = styleOf((open, close) => (text) => {
  return text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`;
});

/** The style of outputs that are not terminals. */
export const plainStyle: Style = styleOf(() => (text) => text);

/**
 * Makes a text from an input safe for terminals and logs. Control characters, which could move the cursor or change the
 * title, characters without a width, and the start of commands of CI systems are shown as escapes. Line breaks stay.
 */
export function printable(text: string): string {
  return withoutCommands(text.replaceAll(controls, escaped));
}

/** As {@link printable}, for a text that must stay on one line, such as a name: line breaks are escaped, too. */
export function printableLine(text: string): string {
  return printable(text.replaceAll('\n', escaped));
}

const controls =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** As {@link printable}, for a text after the start of a line: further lines of the text are indented. */
export function printableAfter(text: string): string {
  return printable(text).replaceAll(/\n(?=.)/g, '\n        ');
}

/** Every line of a text with a margin before it. */
export function indentLines(text: string, margin: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : margin + line))
    .join('\n');
}
