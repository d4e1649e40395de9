import { customResourceRefusal, validateCase } from '@kubeadmit/engine';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import { decode, type Schemas } from '@kubeadmit/schemas';
import type { Passage } from './gates.ts';
import { field } from './inputs.ts';
import { refusalProblems } from './policy-problems.ts';
import type { AdmissionRequest } from './requests.ts';

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
    text(field(request['kind'], key)),
  );
  const old = decode(schemas, request['oldObject'] ?? null).object;
  const failure = customResourceRefusal(
    {
      kind: { group: group ?? '', version: version ?? '', kind: kind ?? '' },
      object,
      ...(old === undefined ? {} : { oldObject: old }),
    },
    schemas,
  );
  return failure === undefined ? passage : { ...passage, allowed: false, failure };
}

/** What kube-apiserver has against definitions themselves, each with its place. */
export function definitionProblems(
  definitions: readonly Manifest[],
  schemas: Schemas,
): readonly InputProblem[] {
  return definitions.flatMap((manifest) => {
    const { definition, failure } = validateCase({ definition: manifest.object }, schemas);
    if (failure === undefined && definition.length === 0) return [];
    const resource = `${manifest.kind}/${manifest.name}`;
    return refusalProblems(manifest, { resource, message: failure ?? '', fields: definition });
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
