import { hostname } from 'node:os';
import type { ObjectReference } from '../cluster/object-reference.ts';

// The name of the reporting controller in events.
const reportingController = 'kubeadmit.dev/webhook';
const longestNote = 1024;

/** The variable parts of an event. */
export interface EventOptions {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly reason: string;
  readonly action: string;
  /** Cut off at 1,024 bytes, as the server requires. */
  readonly note: string;
  readonly regarding: ObjectReference;
  /** Another object that the event is about. */
  readonly related?: ObjectReference;
  /** Default `Warning`. */
  readonly type?: 'Normal' | 'Warning';
  /** Default `kubeadmit.dev/webhook`. */
  readonly reportingController?: string;
}

/** The path of the events about an object: in its namespace, or in `default` for objects without one. */
export function eventsPath({ namespace = 'default' }: ObjectReference): string {
  return `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
}

/** Returns an event as JSON. */
export function eventText({ name, time, note, ...rest }: EventOptions): string {
  return JSON.stringify({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name, namespace: rest.regarding.namespace ?? 'default' },
    eventTime: microTime(time),
    type: 'Warning',
    reportingController,
    ...rest,
    note: cut(note),
    reportingInstance: hostname().slice(0, 128) || 'unknown',
  });
}

/** A time in milliseconds since 1970 as `v1.MicroTime`. */
export function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}

// The server counts bytes.
function cut(text: string): string {
  let note = text.slice(0, longestNote);
  while (Buffer.byteLength(note) > longestNote) note = note.slice(0, -1);
  return note.replace(/[\uD800-\uDBFF]$/, '');
}
