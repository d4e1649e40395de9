import { addCounts } from '../counts.ts';
import { HeldTexts } from '../held-texts.ts';
import { countOutcomes, type ItemFormat, type OutcomeCounts, type ReportItem } from './report.ts';

/** Consecutive test cases of one file, and the attributes of their suite. */
interface SuitePart {
  readonly file: string;
  readonly counts: OutcomeCounts;
  readonly seconds: number;
  readonly cases: string;
}

/**
 * JUnit's XML, a suite for each file, in the form that the schemas of Jenkins and of Ant have in common.
 *
 * A suite is written when another file follows.
 */
export class JunitFormat implements ItemFormat<readonly SuitePart[]> {
  readonly #timestamp: string;
  readonly #cases = new HeldTexts();
  #suite:
    | {
        readonly file: string;
        readonly counts: Record<keyof OutcomeCounts, number>;
        seconds: number;
      }
    | undefined;
  #id = 0;
  // Ant's schema has no attributes here.
  #head = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n';

  /** @param timestamp the time of the run, as in `2026-01-02T03:04:05`. */
  constructor(timestamp: string) {
    this.#timestamp = timestamp;
  }

  part(items: readonly ReportItem[]): readonly SuitePart[] {
    const parts: SuitePart[] = [];
    for (let from = 0, to = 0; from < items.length; from = to) {
      const file = items[from]?.file ?? '';
      while (items[to]?.file === file) to++;
      const own = items.slice(from, to);
      const cases = own.map(testcase).join('');
      parts.push({ file, counts: countOutcomes(own), seconds: secondsOf(own), cases });
    }
    return parts;
  }

  *add(parts: readonly SuitePart[]): Generator<string> {
    for (const { file, counts, seconds, cases } of parts) {
      const open = this.#suite;
      if (open === undefined || open.file !== file) {
        yield* this.#endSuite();
        this.#suite = { file, counts: { ...counts }, seconds };
      } else {
        addCounts(open.counts, counts);
        open.seconds += seconds;
      }
      this.#cases.hold('', cases);
    }
  }

  *end(): Generator<string> {
    yield* this.#endSuite();
    yield `${this.#head}</testsuites>\n`;
  }

  *#endSuite(): Generator<string> {
    if (this.#suite === undefined) return;
    const { file, counts, seconds } = this.#suite;
    const { pass, fail, error, skip } = counts;
    const head = attributes({
      name: file,
      package: 'kubeadmit',
      id: String(this.#id++),
      tests: String(pass + fail + error + skip),
      failures: String(fail),
      errors: String(error),
      skipped: String(skip),
      hostname: 'localhost',
      timestamp: this.#timestamp,
      time: timeText(seconds),
    });
    yield `${this.#head}  <testsuite${head}>\n    <properties/>\n`;
    this.#head = '';
    yield* this.#cases.take('');
    yield '    <system-out/>\n    <system-err/>\n  </testsuite>\n';
  }
}

function testcase(item: ReportItem): string {
  const { name, rule, outcome, level, message, line, seconds = 0 } = item;
  const head = attributes({ name, classname: rule || name, time: timeText(seconds) });
  const place = line === undefined ? message : `line ${line}: ${message}`;
  const said = attributes({ message: message.split('\n')[0] ?? '', type: level });
  switch (outcome) {
    case 'pass':
      return `    <testcase${head}/>\n`;
    case 'skip':
      return `    <testcase${head}>\n      <skipped/>\n    </testcase>\n`;
    default: {
      const element = outcome === 'fail' ? 'failure' : 'error';
      return `    <testcase${head}>\n      <${element}${said}>${escapeXml(place)}</${element}>\n    </testcase>\n`;
    }
  }
}

function secondsOf(items: readonly ReportItem[]): number {
  return items.reduce((sum, { seconds = 0 }) => sum + seconds, 0);
}

/** Seconds to the millisecond: the schema of Jenkins takes no more. */
function timeText(seconds: number): string {
  return String(Number(seconds.toFixed(3)));
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Text for XML 1.0, which has no place for most control characters. */
function escapeXml(text: string): string {
  return (
    text
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll(/[\ud800-\udfff]/gu, '\ufffd')
      .replaceAll(/[&<>"\n\r\t]/g, (character: string) => entities[character] ?? '')
      // Azure Pipelines and others read `##[…]` anywhere in a log.
      .replaceAll('##', '#&#35;')
  );
}
