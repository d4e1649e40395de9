import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { type Codec, MemoizedForms } from '@kubeadmit/apiserver';
import type { Schemas } from '@kubeadmit/schemas';
import {
  decodeProtobuf,
  encodeProtobuf,
  encodeProtobufParts,
  encodeWatchEvent,
  hasProtobufForm,
  loadProtobuf,
  type Protobuf,
  type WrittenMessage,
} from '@kubeadmit/schemas/protobuf';

/** The protocol buffers that typed clients send and ask for. */
export async function loadProtobufCodec(schemas: Schemas): Promise<Codec> {
  const loaded = await loadProtobuf(schemas);
  // 16 MiB.
  const written = new MemoizedForms<WrittenMessage>(2 ** 24, ({ bytes }) => bytes.length);
  // Definitions make other schemas, and change nothing about built-in kinds.
  const protobuf = (of: Schemas): Protobuf => ({ ...loaded, schemas: of, written });
  const mustEncode = (bytes: Uint8Array | undefined, object: KubernetesObject): Uint8Array => {
    if (bytes === undefined) throw new TypeError(`${object['kind']} has no protobuf encoding`);
    return bytes;
  };
  return {
    mediaType: 'application/vnd.kubernetes.protobuf',
    streamMediaType: 'application/vnd.kubernetes.protobuf;stream=watch',
    encodes: (of, { apiVersion = '', kind = '' }) =>
      hasProtobufForm(protobuf(of), { apiVersion: String(apiVersion), kind: String(kind) }),
    encode: (of, object) => mustEncode(encodeProtobuf(protobuf(of), object), object),
    encodeParts: (of, object) => encodeProtobufParts(protobuf(of), object),
    encodeEvent: (of, event) => mustEncode(encodeWatchEvent(protobuf(of), event), event.object),
    decode(of, bytes, { apiVersion, kind }) {
      const [version = '', group = ''] = apiVersion.split('/').reverse();
      const read = decodeProtobuf(protobuf(of), bytes, { group, version, kind });
      return read.error === undefined ? { object: read.object } : { error: read.error };
    },
  };
}
