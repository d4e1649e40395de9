import { isReview } from '@kubeadmit/chain/requests';
import type { Manifest } from '@kubeadmit/manifest';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { failedValue } from './failed-value.ts';
import type { CheckedObject } from './report.ts';

const undecoded = /^request\.(?:object|oldObject): /;

/** The reason why an object is rejected, and the position of the value that causes it. */
export type Failure = Required<Pick<CheckedObject, 'failure'>> & Pick<CheckedObject, 'place'>;

/** Why an object is not taken, as its user would read it, with the place of the value that cannot be decoded. */
export function failureOf(manifest: Manifest, failure: string, schemas: Schemas): Failure {
  const text = failure.replace(undecoded, '');
  if (text === failure || isReview(manifest)) return { failure };
  const { kind, version, object } = manifest;
  const errorIn = (part: unknown): string | undefined => {
    const named = { ...(part as Manifest['object']), apiVersion: manifest.apiVersion, kind };
    return decode(schemas, named).error;
  };
  const error = errorIn(object);
  // Other values may fail in other words: decoding reports one of them.
  const fails = (part: unknown): boolean => errorIn(part) === error;
  return {
    failure: `${kind} in version "${version}" cannot be handled as a ${kind}: ${text}`,
    ...(error === undefined ? {} : { place: manifest.place(failedValue(object, fails)) }),
  };
}
