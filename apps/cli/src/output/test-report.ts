import type { InputProblem } from '@kubeadmit/manifest';
import type { MutationReport, PolicyMutant } from '@kubeadmit/testing';
import type { TestEntry } from '@kubeadmit/testing/other-tools';
import { leftOutItem, leftOutRow } from './left-out.ts';
import type { FormatReport, ReportItem } from './report.ts';
import { testDocument } from './test-json.ts';

/** The results of tests for any format, and the files that could not be read. */
export function testReport(
  entries: readonly TestEntry[],
  mutations: MutationReport | undefined,
  problems: readonly InputProblem[],
): FormatReport {
  const document = {
    ...testDocument(entries),
    mutations: mutations && mutationsOf(mutations),
    leftOut: problems.length === 0 ? undefined : problems.map(leftOutRow),
  };
  const survivors = mutations?.survivors ?? [];
  return {
    title: 'kubeadmit test',
    items: [...entries.map(itemOf), ...survivors.map(survivorItem), ...problems.map(leftOutItem)],
    remarks: [],
    document,
    rows: document.tests,
  };
}

function mutationsOf({ total, caught, survivors }: MutationReport) {
  return {
    total,
    caught,
    survivors: survivors.map(({ original, path, place, change }) => ({
      file: original.file,
      policy: `${original.kind}/${original.name}`,
      path,
      change,
      ...place,
    })),
  };
}

function survivorItem({ original, path, place, change }: PolicyMutant): ReportItem {
  return {
    rule: 'uncaught-mutation',
    name: `${original.kind}/${original.name}`,
    outcome: 'fail',
    level: 'error',
    message: `no test fails when ${path} ${change}`,
    file: original.file,
    ...place,
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
    message: message !== '' || !isBroken ? message : `expected ${expected}, got ${actual}`,
    file,
    line,
    seconds: entry.seconds,
  };
}
