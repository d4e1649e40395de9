import { byteLength } from '@kubeadmit/go';
import { varint } from '../openapi/protobuf-fields.ts';

// etcd refuses requests above a length (`--max-request-bytes`), and kube-apiserver returns its message. Other stores
// have no such limit, and would accept objects that a cluster refuses.

/** In bytes; the default of etcd, which kube-apiserver cannot ask for. */
const longestRequest = 1.5 * 1024 * 1024;

/** Of the number of the request alone; one more for half of all members, whose name is in its upper bits. */
const headerLength = 13;

/** A write as etcd gets it. */
export interface StoreWrite {
  readonly key: string;
  /** The JSON text of the object, without the line's end that kube-apiserver writes behind it. */
  readonly text: string;
  /** The revision of the stored object; 0 for none. */
  readonly expected: number;
  /** Creates do not read the existing object; all other writes do. */
  readonly isCreate: boolean;
  /** The form in which kube-apiserver stores it; `undefined` where that is JSON. */
  readonly encode: () => Uint8Array | undefined;
}

/** Whether etcd takes a write: its request may not be too large. */
export function isStorable(write: StoreWrite): boolean {
  const { text, encode } = write;
  // A UTF-16 code unit takes three bytes at most, which leaves a fourth of the request for all else.
  if (text.length < longestRequest / 4) return true;
  // An object takes no more in protocol buffers than as JSON.
  if (!isTooLarge(write, byteLength(text) + 1)) return true;
  const encoded = encode();
  return encoded !== undefined && !isTooLarge(write, encoded.length);
}

/**
 * Whether the transaction is too long, measured as its protocol buffers (etcd's `InternalRaftRequest`): compare the
 * revision of the key, put the value, or read the existing one.
 */
function isTooLarge({ key, expected, isCreate }: StoreWrite, valueLength: number): boolean {
  const keyField = fieldLength(byteLength(key));
  const target = 2;
  const compare = fieldLength(target + keyField + 1 + varint(expected).length);
  const put = fieldLength(fieldLength(keyField + fieldLength(valueLength)));
  const read = isCreate ? 0 : fieldLength(fieldLength(keyField));
  return headerLength + fieldLength(compare + put + read) > longestRequest;
}

/** A field of so many bytes, with its number and its length. */
function fieldLength(length: number): number {
  return 1 + varint(length).length + length;
}
