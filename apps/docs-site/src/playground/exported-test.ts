import type { Verdict } from '@kubeadmit/chain';
import type { JudgedObject, Judgement } from '../worker/judgement.ts';

/** The test results that correspond to the verdicts of policies. */
const results: Readonly<Partial<Record<Verdict, string>>> = {
  allow: 'pass',
  deny: 'fail',
  warn: 'fail',
  audit: 'fail',
  error: 'error',
};

interface Row {
  readonly policy: string;
  readonly rule: string | undefined;
  readonly object: JudgedObject;
  readonly result: string;
}

/**
 * Returns a `kyverno-test.yaml` for `kubeadmit test` that expects the current results; undefined if no result can be
 * expressed as a test.
 *
 * Mutations are left out, since a test compares complete objects.
 */
export function exportedTest(
  files: Readonly<Record<string, string>>,
  { objects }: Judgement,
): string | undefined {
  const rows = objects.flatMap(rowsOf);
  if (rows.length === 0) return undefined;
  const tried = new Set(objects.map(({ file }) => file));
  const names = Object.keys(files).filter((name) => /\.(?:ya?ml|json)$/.test(name));
  const list = (chosen: readonly string[]): string =>
    chosen.map((name) => `\n- ${JSON.stringify(name)}`).join('');
  return `apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata:
  name: exported
policies:${list(names.filter((name) => !tried.has(name)))}
resources:${list(names.filter((name) => tried.has(name)))}
results:
${rows.map(rowText).join('\n')}
`;
}

function rowsOf(object: JudgedObject): Row[] {
  if (object.operation !== 'CREATE') return [];
  const rows = new Map<string, Row>();
  for (const { policy, rule, verdict, message } of object.findings) {
    const result = results[verdict];
    // A policy that allows with a message has nothing to report, and no result in a test.
    const isSilent = verdict === 'allow' && message !== undefined;
    if (result === undefined || policy === '' || isSilent) continue;
    const key = `${policy} ${rule ?? ''}`;
    const known = rows.get(key);
    // Of several bindings or parameters, the one that has something against it counts.
    if (known === undefined || known.result === 'pass')
      rows.set(key, { policy, rule, object, result });
  }
  return [...rows.values()];
}

/** A word as YAML reads it; quoted unless it is a plain name. */
function plainWord(word: string): string {
  return /^[A-Za-z]\w*$/.test(word) ? word : JSON.stringify(word);
}

function rowText({ policy, rule, object: { kind, namespace, name }, result }: Row): string {
  const path = namespace === '' ? name : `${namespace}/${name}`;
  return [
    `- policy: ${JSON.stringify(policy)}`,
    rule === undefined ? '  isValidatingAdmissionPolicy: true' : `  rule: ${JSON.stringify(rule)}`,
    `  kind: ${plainWord(kind)}`,
    `  resources: [${JSON.stringify(path)}]`,
    `  result: ${result}`,
  ].join('\n');
}
