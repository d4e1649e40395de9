import { isObject } from '@kubeadmit/apimachinery';
import { type Chain, type Passage, passRequest } from '@kubeadmit/check';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { decode, type Schemas } from '@kubeadmit/schemas';

/** What a set of policies says of a request. */
export interface Judgement {
  readonly allowed: boolean;
  readonly message?: string;
  readonly warnings?: readonly string[];
  readonly object?: unknown;
}

/** How far two judgements have to be the same. */
export type Likeness =
  /** Verdicts, messages, warnings and objects. */
  | 'texts'
  /** Verdicts, audited ones among them, and objects: texts of different engines differ always. */
  | 'verdicts';

/** Asks a chain about a request; `undefined` where no server would take the object whatever policies say. */
export function judge(chain: Chain, request: AdmissionRequest): Passage | undefined {
  const passage = passRequest(chain, request);
  return passage.failure === undefined ? passage : undefined;
}

/** A judgement for people and scripts. */
export function judgementOf({ allowed, message, findings, object, patch }: Passage): Judgement {
  const warnings = findings.filter(({ verdict }) => verdict === 'warn');
  return {
    allowed,
    ...(message === undefined ? {} : { message }),
    ...(warnings.length === 0 ? {} : { warnings: warnings.map((each) => each.message ?? '') }),
    ...(patch.length === 0 || !allowed ? {} : { object }),
  };
}

/** What of a judgement is compared. */
export function comparable(passage: Passage, likeness: Likeness, schemas: Schemas): string {
  if (likeness === 'texts') return sortedText(judgementOf(passage));
  const verdicts = new Set(passage.findings.map(({ verdict }) => verdict));
  const isDenied = !passage.allowed;
  const isAudited = !isDenied && (verdicts.has('audit') || verdicts.has('warn'));
  const { object, patch } = passage;
  // What policies of Kyverno changed gets the server's defaults once more on its way to storage.
  const stored = isDenied || patch.length === 0 ? null : (decode(schemas, object).object ?? object);
  return sortedText([isDenied, isAudited, stored]);
}

// The order of keys is no difference.
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
