import { parseUint64, quote } from '@kubeadmit/go';
import type { Clock } from '../host/host.ts';

export {
  type FieldsEntry,
  type Metadata,
  metadataOf,
  nameOf,
  withMember,
  withMetadata,
  withoutMember,
  withRevision,
} from '@kubeadmit/admission/writes';

/** The time now as metadata has it. */
export function timeNow(clock: Clock): string {
  return timeText(clock.now());
}

/** A time as metadata has it: RFC 3339 in seconds. */
export function timeText(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** Returns Go's error for an invalid resource version, or `undefined`. */
export function versionProblem(text: string): string | undefined {
  const problem = parseUint64(text);
  if (typeof problem !== 'string') return undefined;
  return `strconv.ParseUint: parsing ${quote(text)}: ${problem}`;
}
