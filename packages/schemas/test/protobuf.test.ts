import { readFileSync } from 'node:fs';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import {
  decodeProtobuf,
  encodeProtobuf,
  encodeProtobufParts,
  encodeWatchEvent,
  loadProtobuf,
  type Protobuf,
  type WrittenMessage,
} from '@kubeadmit/schemas/protobuf';
import { readLines } from '@kubeadmit/test-support';
import { beforeAll, describe, expect, it } from 'vitest';

// The answers of kube-apiserver 1.37.1 to the same request in either form, except for the identity and the time.
const cases = readLines<{ readonly json: string; readonly protobuf: string }>(
  new URL('cases/protobuf.ndjson', import.meta.url),
)
  .map(({ json, protobuf }) => ({
    object: JSON.parse(json) as JsonObject,
    bytes: Uint8Array.from(Buffer.from(protobuf, 'base64')),
  }))
  .map(({ object, bytes }, index) => ({ title: `${index} ${object['kind']}`, object, bytes }));

let protobuf: Protobuf;
beforeAll(async () => {
  protobuf = await loadProtobuf(await loadSchemas());
});

describe('protocol buffers of kube-apiserver', () => {
  it.each(cases.filter(({ title }) => !title.includes('Partial')))(
    '$title is read as its JSON',
    ({ object, bytes }) => {
      const { object: read } = decodeProtobuf(protobuf, bytes);
      expect(comparable(JSON.stringify(read))).toBe(comparable(JSON.stringify(object)));
    },
  );

  it.each(cases)('$title is written byte for byte', ({ object, bytes }) => {
    const { object: read = object } = decodeProtobuf(protobuf, bytes);
    expect(encodeProtobuf(protobuf, read)).toEqual(bytes);
  });

  it('a list is written in parts, none of which is long, and its items once', () => {
    const pod = cases.find(({ object }) => object['kind'] === 'Pod')?.object as JsonObject;
    const items = Array.from({ length: 400 }, (_, i) => ({ ...pod, metadata: { name: `p-${i}` } }));
    const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '7' }, items };
    const known = new Map<JsonObject, WrittenMessage>();
    const remembering = { ...protobuf, written: known };
    const whole = encodeProtobuf(protobuf, list) as Uint8Array;
    for (const parts of [1, 2].map(() => [...encodeProtobufParts(remembering, list)])) {
      expect(Buffer.concat(parts).equals(whole)).toBe(true);
      expect(parts.length).toBeGreaterThan(2);
      expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(70_000);
      expect(known.size).toBe(400);
    }
    const empty = { ...list, items: [] };
    expect([...encodeProtobufParts(protobuf, empty)]).toEqual([encodeProtobuf(protobuf, empty)]);
    expect([...encodeProtobufParts(protobuf, pod)]).toEqual([encodeProtobuf(protobuf, pod)]);
  });

  it('an event of a watch is written byte for byte', () => {
    const { event, frame } = JSON.parse(
      readFileSync(new URL('cases/protobuf-watch.json', import.meta.url), 'utf8'),
    );
    expect(encodeWatchEvent(protobuf, event)).toEqual(
      Uint8Array.from(Buffer.from(frame, 'base64')),
    );
  });
});

describe('an invalid message', () => {
  const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'a' } };

  it('has no envelope', () => {
    expect(decodeProtobuf(protobuf, Uint8Array.from([1, 2, 3]))).toEqual({
      error:
        'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    });
  });

  it('is cut off within a field', () => {
    const bytes = encodeProtobuf(protobuf, namespace) as Uint8Array;
    // Of the envelope: the header of its names, within them, and within the object.
    for (const end of [5, 10, 24, 40]) {
      const { error } = decodeProtobuf(protobuf, bytes.subarray(0, end));
      expect(error, `${end} bytes`).toBe('unexpected EOF');
    }
  });

  it('has an unknown kind', () => {
    const named = encodeProtobuf(protobuf, namespace) as Uint8Array;
    const text = Buffer.from(named).toString('latin1').replace('Namespace', 'Namespade');
    expect(decodeProtobuf(protobuf, Buffer.from(text, 'latin1'))).toEqual({
      kind: { apiVersion: 'v1', kind: 'Namespade' },
      error: 'no kind "Namespade" is registered for version "v1"',
    });
  });

  it('never throws, whatever byte is wrong', () => {
    const bytes = encodeProtobuf(protobuf, namespace) as Uint8Array;
    for (let at = 0; at < bytes.length; at++) {
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
        const broken = bytes.slice();
        broken[at] = byte;
        expect(decodeProtobuf(protobuf, broken)).toBeTypeOf('object');
      }
    }
  });

  it('is an object of a definition', () => {
    const object = { kind: 'Thing', apiVersion: 'example.com/v1', metadata: { name: 'a' } };
    expect(encodeProtobuf(protobuf, object)).toBeUndefined();
  });
});

/** Drops the parts that differ between two requests, and the kinds of claims in a StatefulSet, which messages lack. */
function comparable(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uid')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'time')
    .replaceAll(/"clusterIPs?":(?:"[^"]*"|\[[^\]]*\])/g, '"address"')
    .replaceAll(/"nodePort":\d+/g, '"port"')
    .replaceAll(
      '"kind":"PersistentVolumeClaim","apiVersion":"v1","metadata":{"name":"d"',
      '"metadata":{"name":"d"',
    );
}
