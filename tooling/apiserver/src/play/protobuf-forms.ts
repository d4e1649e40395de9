import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { decodeProtobuf, encodeProtobuf, loadProtobuf } from '@kubeadmit/schemas/protobuf';
import type { Answer } from './answer.ts';

/** Bodies in protocol buffers, of which cases speak as JSON. */
export interface ProtobufForms {
  readonly mediaType: string;
  encode(object: KubernetesObject): Uint8Array;
  /** An answer with its text, where it came as bytes. */
  readable(answer: Answer): Answer;
}

/** Loads the code that writes and reads protocol buffers. */
export async function loadProtobufForms(): Promise<ProtobufForms> {
  const protobuf = await loadProtobuf(await loadSchemas());
  const mediaType = 'application/vnd.kubernetes.protobuf';
  return {
    mediaType,
    encode(object) {
      const bytes = encodeProtobuf(protobuf, object);
      if (bytes === undefined) throw new Error(`no protocol buffers for ${object['kind']}`);
      return bytes;
    },
    readable(answer) {
      if (answer.bytes === undefined || answer.headers['content-type'] !== mediaType) return answer;
      const none = { group: '', version: 'v1', kind: '' };
      const { object, error } = decodeProtobuf(protobuf, answer.bytes, none);
      return { ...answer, text: error ?? JSON.stringify(object) };
    },
  };
}
