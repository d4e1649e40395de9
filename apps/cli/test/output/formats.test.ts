import { expect, test } from 'vitest';
import { formatReport, itemFormat } from '../../src/output/formats/formats.ts';
import type { FormatReport, ReportItem } from '../../src/output/report.ts';
import { runHere } from '../terminal.ts';
import { elementsOf } from './xml.ts';

const place = { file: 'policies/a b.yaml', line: 3, column: 5 };
const items: readonly ReportItem[] = [
  { rule: 'p/r', name: 'a/b', outcome: 'pass', level: 'none', message: '', ...place },
  {
    rule: 'p',
    name: 'Pod <a> & "b"',
    outcome: 'fail',
    level: 'error',
    message: 'two\nlines: 100%, #1 \\ ]]> \u0001\ufffe',
    ...place,
  },
  { rule: 'p', name: 'same', outcome: 'error', level: 'error', message: 'same', file: './x.yaml' },
  {
    rule: 'p',
    name: 'same',
    outcome: 'error',
    level: 'error',
    message: 'same',
    file: 'x.yaml',
    line: 9,
  },
  { rule: 'q', name: 'c', outcome: 'skip', level: 'none', message: 'not # yet', ...place },
  { rule: 'q', name: 'd', outcome: 'pass', level: 'warning', message: 'a|b *c*', ...place },
  { rule: '', name: '', outcome: 'pass', level: 'note', message: 'noted', ...place },
];
const rows = items.map(({ name, message }) => ({ name, message }));
const report: FormatReport = {
  title: 'kubeadmit test',
  items,
  remarks: ['1 policy matched no object: x'],
  document: { version: '0', rows },
  rows,
};

const endings: Readonly<Record<string, string>> = {
  json: 'json',
  ndjson: 'ndjson',
  yaml: 'yaml',
  junit: 'xml',
  sarif: 'sarif',
  github: 'txt',
  gitlab: 'json',
  tap: 'tap',
  markdown: 'md',
};

function formatted(format: string): string {
  return formatReport(report, format, () => Date.UTC(2026, 0, 2, 3, 4, 5)) ?? '';
}

test.each(Object.entries(endings))('%s as in its file', async (format, ending) => {
  await expect(formatted(format)).toMatchFileSnapshot(`golden/${format}.${ending}.golden`);
});

test.each(['junit', 'sarif', 'github', 'gitlab', 'tap', 'markdown'])(
  '%s is the same whether items are added one by one or together',
  (format) => {
    const inParts = (size: number): string => {
      const own = itemFormat(format, { title: 'kubeadmit check', clock: () => 0 });
      const texts: string[] = [];
      for (let from = 0; own !== undefined && from < items.length; from += size) {
        texts.push(...own.add(items.slice(from, from + size)));
      }
      return [...texts, ...(own?.end(['remark']) ?? [])].join('');
    };
    expect(inParts(1)).toBe(inParts(100));
    expect(inParts(2)).toBe(inParts(100));
    expect(inParts(100)).not.toBe('');
  },
);

// Formatters and linters leave files of this name alone.
test('policyreport as in its file', async () => {
  const { stdout } = await runHere([
    'check',
    '-o',
    'policyreport',
    '../../examples/replica-limits',
  ]);
  await expect(stdout).toMatchFileSnapshot('golden/policyreport.yaml.golden');
});

test('SARIF output is valid against its schema', () => {
  const { version, runs } = JSON.parse(formatted('sarif')) as {
    readonly version: string;
    readonly runs: readonly SarifRun[];
  };
  expect(version).toBe('2.1.0');
  expect(runs).toHaveLength(1);
  const [
    { tool, results, columnKind } = {
      tool: { driver: { name: '', rules: [] } },
      results: [],
      columnKind: '',
    },
  ] = runs;
  expect(tool.driver.name).not.toBe('');
  expect(['utf16CodeUnits', 'unicodeCodePoints']).toContain(columnKind);
  const ids = tool.driver.rules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { ruleId, ruleIndex, level, message, locations } of results) {
    expect(ids[ruleIndex]).toBe(ruleId);
    expect(['none', 'note', 'warning', 'error']).toContain(level);
    expect(message.text).not.toBe('');
    for (const { physicalLocation } of locations) {
      expect(physicalLocation.artifactLocation.uri).toMatch(/^[\w./%:~-]+$/);
      expect(physicalLocation.region?.startLine ?? 1).toBeGreaterThanOrEqual(1);
    }
  }
  const prints = results.map(({ partialFingerprints }) => Object.values(partialFingerprints)[0]);
  expect(new Set(prints).size).toBe(results.length);
});

test('fingerprints do not depend on lines', () => {
  const moved = { ...report, items: items.map((item) => ({ ...item, line: 100 })) };
  const printsOf = (text: string | undefined): readonly unknown[] =>
    (JSON.parse(text ?? '[]') as readonly { readonly fingerprint: string }[]).map(
      ({ fingerprint }) => fingerprint,
    );
  expect(printsOf(formatReport(moved, 'gitlab'))).toEqual(printsOf(formatted('gitlab')));
});

interface SarifRun {
  readonly tool: {
    readonly driver: { readonly name: string; readonly rules: readonly { readonly id: string }[] };
  };
  readonly columnKind: string;
  readonly results: readonly {
    readonly ruleId: string;
    readonly ruleIndex: number;
    readonly level: string;
    readonly message: { readonly text: string };
    readonly partialFingerprints: Readonly<Record<string, string>>;
    readonly locations: readonly {
      readonly physicalLocation: {
        readonly artifactLocation: { readonly uri: string };
        readonly region?: { readonly startLine: number };
      };
    }[];
  }[];
}

/** The attributes and children of elements that the schemas of both Ant (JUnit.xsd) and Jenkins allow. */
const junit: Readonly<Record<string, { readonly attributes: string[]; readonly within: string }>> =
  {
    testsuites: { attributes: [], within: '' },
    testsuite: {
      attributes: [
        'name',
        'package',
        'id',
        'tests',
        'failures',
        'errors',
        'skipped',
        'hostname',
        'timestamp',
        'time',
      ],
      within: 'testsuites',
    },
    properties: { attributes: [], within: 'testsuite' },
    testcase: { attributes: ['name', 'classname', 'time'], within: 'testsuite' },
    skipped: { attributes: [], within: 'testcase' },
    failure: { attributes: ['message', 'type'], within: 'testcase' },
    error: { attributes: ['message', 'type'], within: 'testcase' },
    'system-out': { attributes: [], within: 'testsuite' },
    'system-err': { attributes: [], within: 'testsuite' },
  };

test('JUnit output is valid against its schemas', () => {
  const elements = elementsOf(formatted('junit'));
  expect(elements[0]?.name).toBe('testsuites');
  for (const { name, within, attributes } of elements) {
    expect(Object.keys(junit)).toContain(name);
    expect(within).toBe(junit[name]?.within);
    expect(Object.keys(attributes)).toEqual(junit[name]?.attributes);
  }
  const suites = elements.filter(({ name }) => name === 'testsuite');
  const sum = (name: string): number =>
    suites.reduce((total, { attributes }) => total + Number(attributes[name]), 0);
  expect([sum('tests'), sum('failures'), sum('errors'), sum('skipped')]).toEqual([7, 1, 2, 1]);
  for (const { attributes } of suites) {
    expect(attributes['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  }
});

test('replaces half of a surrogate pair in XML', () => {
  const [first] = items;
  if (first === undefined) throw new Error('no item');
  const broken = { ...report, items: [{ ...first, name: 'a\ud800b' }] };
  expect(formatReport(broken, 'junit')).toContain('<testcase name="a\ufffdb"');
});

test('TAP keeps to the grammar of version 14', () => {
  const lines = formatted('tap').trimEnd().split('\n');
  expect(lines[0]).toBe('TAP version 14');
  expect(lines.at(-1)).toBe('1..7');
  const points = lines.slice(1, -1).filter((line) => !line.startsWith('  '));
  expect(points).toHaveLength(7);
  for (const [index, line] of points.entries()) {
    expect(line).toMatch(
      new RegExp(`^(?:not )?ok ${index + 1} - (?:[^#\\\\]|\\\\[#\\\\])*(?: # SKIP .*)?$`),
    );
  }
  const blocks = lines.filter((line) => line === '  ---').length;
  expect(lines.filter((line) => line === '  ...')).toHaveLength(blocks);
});

test('workflow commands of GitHub are one line each', () => {
  const lines = formatted('github').trimEnd().split('\n');
  expect(lines).toHaveLength(5);
  for (const line of lines) expect(line).toMatch(/^::(?:error|warning|notice) file=[^:]+::./);
});

test('GitLab code quality output has the required fields', () => {
  const issues = JSON.parse(formatted('gitlab')) as readonly Record<string, unknown>[];
  for (const issue of issues) {
    expect(Object.keys(issue)).toEqual([
      'description',
      'check_name',
      'fingerprint',
      'severity',
      'location',
    ]);
    expect(['info', 'minor', 'major', 'critical', 'blocker']).toContain(issue['severity']);
  }
  expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
});
