import { countOutcomes, type FormatReport, type ReportItem } from './report.ts';

/**
 * JUnit's XML, a suite for each file, in the form that the schemas of Jenkins and of Ant have in common.
 *
 * @param timestamp the time of the run, as in `2026-01-02T03:04:05`.
 */
export function junitFormat({ items }: FormatReport, timestamp: string): string {
  const files = new Map<string, ReportItem[]>();
  for (const item of items) {
    const known = files.get(item.file);
    if (known === undefined) files.set(item.file, [item]);
    else known.push(item);
  }
  const suites = [...files].map(([file, own], id) => suite(file, own, { id, timestamp }));
  // Ant's schema has no attributes here.
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

function suite(
  file: string,
  items: readonly ReportItem[],
  { id, timestamp }: { readonly id: number; readonly timestamp: string },
): string {
  const head = attributes({
    name: file,
    package: 'kubeadmit',
    id: String(id),
    ...counts(items),
    skipped: String(countOutcomes(items).skip),
    hostname: 'localhost',
    timestamp,
    time: timeOf(items),
  });
  return `  <testsuite${head}>\n    <properties/>\n${items.map(testcase).join('')}    <system-out/>\n    <system-err/>\n  </testsuite>\n`;
}

function testcase(item: ReportItem): string {
  const { name, rule, outcome, level, message, line } = item;
  const head = attributes({ name, classname: rule || name, time: timeOf([item]) });
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

function counts(items: readonly ReportItem[]): Readonly<Record<string, string>> {
  const { fail, error } = countOutcomes(items);
  return { tests: String(items.length), failures: String(fail), errors: String(error) };
}

/** How long items took, in seconds to the microsecond. */
function timeOf(items: readonly ReportItem[]): string {
  const seconds = items.reduce((sum, item) => sum + (item.seconds ?? 0), 0);
  return String(Number(seconds.toFixed(6)));
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
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[\ud800-\udfff]/gu, '\ufffd')
    .replaceAll(/[&<>"\n\r\t]/g, (character: string) => entities[character] ?? '');
}
