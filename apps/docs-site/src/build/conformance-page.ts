import { code, type Page, table } from './shared/page.ts';
import { foldersIn, namesIn, readText } from './shared/repository.ts';

/** The subject of the cases in each area. */
const subjects: Readonly<Record<string, string>> = {
  admit: 'whole responses: verdict, message, code, warnings, audit annotations, patched object',
  cel: 'values, types, errors and costs of expressions; messages and positions of syntax errors',
  decode: 'objects as the server stores them: defaults, pruning, rejections',
  kyverno:
    'conditions, JMESPath, variables, validation, mutation, Pod Security Standards, rules generated for Pod controllers',
  lint: 'rejections and type warnings of policies and bindings',
  servers: 'verdicts of real servers of 1.30 to 1.37 on the same policies and objects',
  validate: 'field errors of custom resources and their definitions',
  write:
    'writes to a server with its default admission plugins: code, `Status`, warnings, stored object',
};

/** The page about the recorded answers: their scope, their number, and the known differences. */
export function conformancePage(): Page {
  const areas = recordedAreas();
  const rows = areas.map(({ area, files }) => [code(area), sum(files), subjects[area] ?? '']);
  const total = recordedCases().toLocaleString('en');
  const gaps = Object.entries(JSON.parse(readText('conformance/known-gaps.json')) as object);
  const reasons = JSON.parse(readText('conformance/reasons.json')) as Record<string, string>;
  const details = areas.map(
    ({ area, files }) =>
      `### ${area}\n\n${table(
        ['file', 'cases', 'subject'],
        files.map(({ file, count }) => [file, count, reasons[`${area}/${file}`] ?? '']),
      )}`,
  );
  const markdown = `# Conformance

Two programs recorded ${total} answers: one calls the Go libraries of kube-apiserver 1.37.1, the other those of Kyverno 1.19.1. Each test run compares kubeadmit with these answers, byte for byte.

${table(['area', 'cases', 'compared'], rows)}

The requests of the [examples](/examples/) are among them. Each test run also evaluates a sample of the recorded cases in a browser, as the [playground](/playground/) does.

## Server versions

kubeadmit behaves like servers of Kubernetes 1.30 to 1.37: the version selects the CEL libraries, and the fields and defaults of built-in kinds. ${serverDifferences()}

## Known differences

${
  gaps.length === 0
    ? 'None of the recorded cases differs.'
    : table(
        ['case', 'reason'],
        gaps.map(([name, reason]) => [code(name), String(reason)]),
      )
}

A listed case that starts to pass fails the run, so the list is always current.

## The cases by file

${details.join('\n\n')}
`;
  return { path: 'conformance', markdown };
}

/**
 * Returns the paragraph about differences from real servers of several versions, as recorded by
 * `tooling/admission`.
 */
function serverDifferences(): string {
  const { verdicts, otherTexts } = JSON.parse(readText('conformance/servers/known-gaps.json')) as {
    readonly verdicts: Readonly<Record<string, unknown>>;
    readonly otherTexts: Readonly<Record<string, number>>;
  };
  const versions = Object.keys(otherTexts);
  const questions = countOf('servers', 'cases.ndjson').count;
  const texts = Object.entries(otherTexts).filter(([, count]) => count > 0);
  const differing =
    Object.keys(verdicts).length === 0 ? 'none' : Object.keys(verdicts).map(code).join(', ');
  return `Real servers of ${versions.length} versions answered ${questions} requests each. Different verdicts: ${differing}. Messages with the wording of another version: ${texts.length === 0 ? 'none' : texts.map(([version, count]) => `${count} of ${version}`).join(', ')}.`;
}

/** The number of recorded answers. */
export function recordedCases(): number {
  return recordedAreas().reduce((before, { files }) => before + sum(files), 0);
}

function recordedAreas(): { readonly area: string; readonly files: readonly Count[] }[] {
  return foldersIn('conformance').flatMap((area) => {
    const files = namesIn(`conformance/${area}`).filter((name) => name.endsWith('.ndjson'));
    return files.length === 0 ? [] : [{ area, files: files.map((file) => countOf(area, file)) }];
  });
}

interface Count {
  readonly file: string;
  readonly count: number;
}

function countOf(area: string, file: string): Count {
  const lines = readText(`conformance/${area}/${file}`).split('\n');
  return { file, count: lines.filter((line) => line.trim() !== '').length };
}

function sum(files: readonly Count[]): number {
  return files.reduce((before, { count }) => before + count, 0);
}
