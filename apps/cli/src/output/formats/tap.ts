import { jsonWithoutCommands } from '../ci-commands.ts';
import type { ItemFormat, ReportItem } from '../report.ts';
import { printable } from '../style.ts';

/** A test point: the text before and after its number. */
type TestPoint = readonly [result: string, rest: string];

/** TAP 14 (Test Anything Protocol), with a YAML block for each failure, and the plan after the test points. */
export class TapFormat implements ItemFormat {
  #head = 'TAP version 14\n';
  #count = 0;

  add(items: readonly ReportItem[]): readonly string[] {
    const texts = items.map((item) => {
      const [result, rest] = testPoint(item);
      return `${result} ${++this.#count} - ${rest}`;
    });
    const head = this.#head;
    this.#head = '';
    return [head + texts.join('')];
  }

  end(): readonly string[] {
    return [`${this.#head}1..${this.#count}\n`];
  }
}

function testPoint(item: ReportItem): TestPoint {
  const { outcome, rule, name, message, file, line } = item;
  const title = [rule, name].filter((part) => part !== '' && !name.startsWith(`${part}/`));
  const own = escapeTap(title.length === 0 ? name || message : title.join(': '));
  if (outcome === 'pass') return ['ok', `${own}\n`];
  if (outcome === 'skip') return ['ok', `${own} # SKIP ${escapeTap(message)}\n`];
  const at = jsonWithoutCommands(JSON.stringify({ file, line }));
  const said = jsonWithoutCommands(JSON.stringify(message));
  return [
    'not ok',
    `${own}\n  ---\n  message: ${said}\n  severity: ${outcome}\n  at: ${at}\n  ...\n`,
  ];
}

/** Descriptions are one line, in which a backslash and a number sign mean something. */
function escapeTap(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' ')).replaceAll(/[\\#]/g, '\\$&');
}
