import type { TestEntry } from '@kubeadmit/check';
import type { FormatReport, ReportItem } from './formats/report.ts';
import { testDocument } from './test-json.ts';

/** The results of tests for any format. */
export function testReport(entries: readonly TestEntry[]): FormatReport {
  const document = testDocument(entries);
  return {
    title: 'kubeadmit test',
    items: entries.map(itemOf),
    remarks: [],
    document,
    rows: document.tests,
  };
}

function itemOf(entry: TestEntry): ReportItem {
  const { file, name, policy, rule, resource, result, message, expected, actual, line } = entry;
  const isBroken = result === 'fail' || result === 'error';
  // Tests of Kyverno have one name for all of their rows.
  const about = policy === '' || resource === '' ? [] : [policy, rule, resource];
  const title = [name, ...about].filter((part) => part !== '').join('/');
  return {
    rule: [policy, rule].filter((part) => part !== '').join('/'),
    name: title,
    outcome: result,
    level: isBroken ? 'error' : 'none',
    message: message !== '' || !isBroken ? message : `expected ${expected}, but it is ${actual}`,
    file,
    line,
  };
}
