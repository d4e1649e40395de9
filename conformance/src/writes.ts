import type { JsonObject } from '@kubeadmit/conformance-tools';
import { type Answerer, loadAnswerer } from '@kubeadmit/machine';

let loaded: Promise<Answerer> | undefined;

/** Answers a case of `kubeadmit write -`; cases in a row share the server of their resources. */
export async function answerWrite(input: JsonObject): Promise<object> {
  loaded ??= loadAnswerer('write', { clock: Date.now });
  const answer = await loaded;
  return answer(input as never);
}
