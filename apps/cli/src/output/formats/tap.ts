import type { FormatReport, ReportItem } from './report.ts';

/** TAP 14 (Test Anything Protocol), with a YAML block for what does not pass. */
export function tapFormat({ items }: FormatReport): string {
  return `TAP version 14\n1..${items.length}\n${items.map(testPoint).join('')}`;
}

function testPoint(item: ReportItem, index: number): string {
  const { outcome, rule, name, message, file, line } = item;
  const isFine = outcome === 'pass' || outcome === 'skip';
  const title = [rule, name].filter((part) => part !== '' && !name.startsWith(`${part}/`));
  const own = title.length === 0 ? name || message : title.join(': ');
  const skip = outcome === 'skip' ? ` # SKIP ${escapeTap(message)}` : '';
  const head = `${isFine ? 'ok' : 'not ok'} ${index + 1} - ${escapeTap(own)}${skip}\n`;
  if (isFine) return head;
  const where = { file, line };
  return `${head}  ---\n  message: ${JSON.stringify(message)}\n  severity: ${outcome}\n  at: ${JSON.stringify(where)}\n  ...\n`;
}

/** Descriptions are one line, in which a backslash and a number sign mean something. */
function escapeTap(text: string): string {
  return text.replaceAll(/[\\#]/g, '\\$&').replaceAll(/\s+/g, ' ');
}
