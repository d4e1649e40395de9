import { stringifyYaml } from '@kubeadmit/manifest';

/** A suite in the form of its file, made of the tests of another tool. */
export type SuiteDocument = Readonly<Record<string, unknown>>;

const lineBreaks = /[\n\r]/g;

/** The text of a suite, with the tests that it was converted from. */
export function suiteText(document: SuiteDocument, from: string): string {
  // A line break in the name would end the comment.
  const name = from.replaceAll(lineBreaks, (text) => JSON.stringify(text).slice(1, -1));
  return `# Made of ${name} by \`kubeadmit import\`.\n${stringifyYaml(document)}`;
}

/** A binding with which a policy acts everywhere and denies, with a parameter where one is given. */
export function denyingBinding(
  policy: string,
  parameter?: { readonly name: string; readonly namespace?: string },
): Readonly<Record<string, unknown>> {
  const paramRef =
    parameter === undefined
      ? {}
      : { paramRef: { ...parameter, parameterNotFoundAction: 'Deny' as const } };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: policy },
    spec: { policyName: policy, validationActions: ['Deny'], ...paramRef },
  };
}

/** Files as one reference: several are a pattern. */
export function filesReference(files: readonly string[]): string {
  return files.length === 1 ? (files[0] ?? '') : `{${files.join(',')}}`;
}

/** Returns cases with unique names, by adding a number to repeated names. */
export function withOwnNames(cases: readonly SuiteDocument[]): readonly SuiteDocument[] {
  const used = new Map<unknown, number>();
  return cases.map((one) => {
    const count = (used.get(one['name']) ?? 0) + 1;
    used.set(one['name'], count);
    return count === 1 ? one : { ...one, name: `${String(one['name'])} (${count})` };
  });
}
