import { findUnknownFields, type UnknownField } from '@kubeadmit/lint/inputs';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';

/** How unknown fields are treated, as with `kubectl --validate`. */
export type FieldValidation = 'strict' | 'warn' | 'ignore';

/** Receives problems of the inputs as they are found. */
export type ReportProblem = (problem: InputProblem, severity: 'error' | 'warning') => void;

/** Finds and reports unknown fields. */
export class Validation {
  readonly #schemas: Schemas;
  readonly #mode: FieldValidation;

  constructor(schemas: Schemas, mode: FieldValidation) {
    this.#schemas = schemas;
    this.#mode = mode;
  }

  /** Why a server that validates fields strictly refuses an object (apiserver handlers/create.go). */
  refusalOf(manifest: Manifest, report: ReportProblem): string | undefined {
    if (this.#mode === 'ignore') return undefined;
    return this.#refusal(manifest, findUnknownFields(manifest, this.#schemas), report);
  }

  /** Reports unknown and ignored fields of Kyverno's policies, unclosed variables, unknown kinds and functions. */
  async examineKyverno(policies: readonly Manifest[], report: ReportProblem): Promise<void> {
    if (policies.length === 0) return;
    const {
      findUnknownKyvernoFields,
      ignoredBySchema,
      unclosedVariables,
      unknownFunctions,
      unknownMatchKinds,
    } = await import('@kubeadmit/lint/kyverno');
    for (const policy of policies) {
      const ignored = [...ignoredBySchema(policy), ...unclosedVariables(policy)];
      for (const problem of ignored) report(problem, 'error');
      const odd = [...unknownFunctions(policy), ...unknownMatchKinds(policy, this.#schemas)];
      for (const problem of odd) report(problem, 'warning');
      const fields = this.#mode === 'ignore' ? [] : findUnknownKyvernoFields(policy);
      this.#refusal(policy, fields, report);
    }
  }

  #refusal(
    manifest: Manifest,
    found: readonly UnknownField[],
    report: ReportProblem,
  ): string | undefined {
    const severity = this.#mode === 'strict' ? 'error' : 'warning';
    for (const problem of found) report(problem, severity);
    if (found.length === 0 || this.#mode !== 'strict') return undefined;
    return strictRefusal(manifest, found);
  }
}

/** Returns the server's message for an object with unknown fields under strict validation. */
export function strictRefusal({ kind, version }: Manifest, found: readonly UnknownField[]): string {
  const texts = found.map(({ warning }) => warning).join(', ');
  return `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${texts}`;
}
