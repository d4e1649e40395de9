import { member } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/check';
import { storeCustomResource } from '@kubeadmit/engine';
import { decode, type Schemas } from '@kubeadmit/schemas';
import type { Passage } from './gates.ts';

/**
 * What became of a request once the definition of its kind has been asked, too: kube-apiserver validates custom
 * resources after policies changed them, and refuses those that do not fit.
 */
export function passDefinition(
  passage: Passage,
  request: AdmissionRequest,
  schemas: Schemas,
): Passage {
  const { object } = passage;
  const isStored = ['CREATE', 'UPDATE'].includes(text(request['operation']));
  const isWhole = text(request['subResource']) === '';
  if (passage.failure !== undefined || object === null || !isStored || !isWhole) return passage;
  const [group, version, kind] = ['group', 'version', 'kind'].map((key) =>
    text(member(request['kind'], key)),
  );
  const old = decode(schemas, request['oldObject'] ?? null).object;
  const stored = storeCustomResource(
    {
      kind: { group: group ?? '', version: version ?? '', kind: kind ?? '' },
      object,
      ...(old === undefined ? {} : { oldObject: old }),
    },
    schemas,
  );
  const failure = stored?.refusal?.message;
  return failure === undefined ? passage : { ...passage, allowed: false, failure };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
