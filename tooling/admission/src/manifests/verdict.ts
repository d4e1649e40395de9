import type { JsonAnswer } from '@kubeadmit/apiserver-tools/kube-apiserver';

/** A verdict about one request, as kube-apiserver or `kubeadmit check` gives it. */
export interface Verdict {
  /** `policy`, `binding`, code, reason and message of a denial; empty if the request is allowed. */
  readonly denial: string;
  /** The warnings of policies, in alphabetical order. */
  readonly warnings: readonly string[];
  /** The audit annotations, `key=value`, in alphabetical order. */
  readonly audits: readonly string[];
  /** The mutating policies that changed the object; unknown if the object was rejected. */
  readonly changedBy: readonly string[] | undefined;
}

/** The HTTP codes of the reasons that policies give. */
const codes: Readonly<Record<string, number>> = {
  Invalid: 422,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Unauthorized: 401,
};

const policyWarning = 'Validation failed for ValidatingAdmissionPolicy';

/** The text of a denial, from the parts that `kubeadmit check -o json` prints. */
export function denialText(
  policy: string,
  binding: string,
  reason: string,
  message: string,
): string {
  const code = codes[reason] ?? 0;
  return steady(`'${policy}' with binding '${binding}' ${code} ${reason}: ${message}`);
}

/** The text of a warning, as kube-apiserver sends it. */
export function warningOf(policy: string, binding: string, message: string): string {
  return steady(`${policyWarning} '${policy}' with binding '${binding}': ${message}`);
}

/** The warnings that are from policies. */
export function policyWarnings(texts: readonly string[]): readonly string[] {
  return texts
    .filter((text) => text.startsWith(policyWarning))
    .map(steady)
    .sort();
}

/** The verdict in an answer of kube-apiserver; undefined if it rejected the request before any policy. */
export function serverVerdict(
  { code, body, warnings }: JsonAnswer,
  auditAnnotations: Readonly<Record<string, string>>,
): Verdict | undefined {
  const denial = code < 300 ? '' : denialIn(String(body['message']), code, String(body['reason']));
  if (denial === undefined) return undefined;
  return {
    denial,
    warnings: policyWarnings(warnings),
    audits: auditTexts(auditAnnotations),
    changedBy: denial === '' ? changesOf(body) : undefined,
  };
}

const denied =
  /ValidatingAdmissionPolicy '([^']*)' with binding '([^']*)' denied request: ([\s\S]*)$/;

function denialIn(text: string, code: number, reason: string): string | undefined {
  const [, policy, binding, message] = denied.exec(text) ?? [];
  if (policy === undefined) return undefined;
  return steady(`'${policy}' with binding '${binding}' ${code} ${reason}: ${message}`);
}

/** Mutating policies write an annotation that begins with their name. */
function changesOf(body: JsonAnswer['body']): readonly string[] {
  const metadata = (body['metadata'] ?? {}) as { readonly annotations?: object };
  const keys = Object.keys(metadata.annotations ?? {});
  return [...new Set(keys.flatMap((key) => /^example\.com\/(m\d+)-/.exec(key)?.[1] ?? []))].sort();
}

/** The audit annotations of policies; their order within an annotation is not fixed on a server. */
export function auditTexts(annotations: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(annotations)
    .filter(([key]) => /^(validation\.policy\.admission\.k8s\.io|p\d+)\//.test(key))
    .map(([key, value]) =>
      steady(`${key}=${value.startsWith('[') ? sortedElements(value) : value}`),
    )
    .sort();
}

function sortedElements(list: string): string {
  return (JSON.parse(list) as unknown[])
    .map((element) => JSON.stringify(element))
    .sort()
    .join(' ');
}

/** Replaces the parts of a text that differ between servers. */
function steady(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/resourceVersion=\d+/g, 'resourceVersion=N')
    .replaceAll(/clusterIP=10\.\d+\.\d+\.\d+/g, 'clusterIP=ADDRESS');
}
