import { unseen } from '../ci-commands.ts';
import { HeldTexts } from '../held-texts.ts';
import { type ItemFormat, noOutcomes, type OutcomeCounts, type ReportItem } from '../report.ts';

/** The consecutive test cases of one file. */
interface Suite {
  readonly file: string;
  readonly counts: OutcomeCounts;
  seconds: number;
}

/**
 * JUnit's XML, a suite for each file, in the form that the schemas of Jenkins and of Ant have in common.
 *
 * A suite is written when another file follows.
 */
export class JunitFormat implements ItemFormat {
  readonly #timestamp: string;
  readonly #cases = new HeldTexts();
  #suite: Suite | undefined;
  #id = 0;
  // Ant's schema has no attributes here.
  #head = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n';

  /** @param timestamp the time of the run, as in `2026-01-02T03:04:05`. */
  constructor(timestamp: string) {
    this.#timestamp = timestamp;
  }

  *add(items: readonly ReportItem[]): Generator<string> {
    for (const item of items) {
      const suite = yield* this.#suiteOf(item.file);
      suite.counts[item.outcome]++;
      suite.seconds += item.seconds ?? 0;
      this.#cases.hold('', testcase(item));
    }
  }

  *end(): Generator<string> {
    yield* this.#endSuite();
    yield `${this.#head}</testsuites>\n`;
  }

  *#suiteOf(file: string): Generator<string, Suite> {
    if (this.#suite?.file === file) return this.#suite;
    yield* this.#endSuite();
    const suite = { file, counts: noOutcomes(), seconds: 0 };
    this.#suite = suite;
    return suite;
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
    case 'skip': {
      const why = level === 'none' ? '' : attributes({ message });
      return `    <testcase${head}>\n      <skipped${why}/>\n    </testcase>\n`;
    }
    default: {
      const element = outcome === 'fail' ? 'failure' : 'error';
      return `    <testcase${head}>\n      <${element}${said}>${escapeXml(place)}</${element}>\n    </testcase>\n`;
    }
  }
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
      // Terminals act on them.
      .replaceAll(unseen, (character) => `&#${character.charCodeAt(0)};`)
      // Azure Pipelines and others read `##[…]` anywhere in a log.
      .replaceAll('##', '#&#35;')
  );
}
