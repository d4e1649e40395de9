import {
  headProblem,
  unreadableHead,
  unregisteredKind,
} from '@kubeadmit/admission/unstable-internal';
import { type KubernetesObject, member, memberText, textOf } from '@kubeadmit/apimachinery';
import { kubernetesNumbers } from '@kubeadmit/cel/unstable-internal';
import { quote, readJson, readYaml } from '@kubeadmit/go';
import type { WebhookAnswer } from '../host/host.ts';

/**
 * Reads a webhook's HTTP answer as a review of a version; throws an Error with client-go's message if it is
 * invalid.
 */
export function readWebhookAnswer(
  { status, contentType, body }: WebhookAnswer,
  apiVersion: string,
): KubernetesObject {
  if (status < 200 || status > 206) throw new Error(refusalText(status, contentType, body));
  if (body === '') {
    throw new Error(
      `0-length response with status code: ${status} and content type: ${contentType ?? ''}`,
    );
  }
  const value = valueOf(body);
  const problem = headProblem(value);
  if (problem !== undefined) throw new Error(problem);
  const review = (value ?? {}) as KubernetesObject;
  const kind = memberText(review, 'kind') || 'AdmissionReview';
  const version = memberText(review, 'apiVersion') || apiVersion;
  const isReview = kind === 'AdmissionReview' && reviewVersions.has(version);
  if (!isReview) throw new Error(unregisteredKind(kind, version));
  if (version === apiVersion) return review;
  const [from, to] = [version, apiVersion].map((each) => each.split('/')[1]);
  throw new Error(
    `converting (${from}.AdmissionReview) to (${to}.AdmissionReview): unknown conversion`,
  );
}

const reviewVersions: ReadonlySet<string> = new Set([
  'admission.k8s.io/v1',
  'admission.k8s.io/v1beta1',
]);

function valueOf(body: string): unknown {
  const read = readJson(body, { numbers: kubernetesNumbers });
  if ('value' in read) return read.value;
  const yaml = readYaml(body, { numbers: kubernetesNumbers });
  if ('error' in yaml || body.trimStart().startsWith('{')) {
    throw new Error(unreadableHead(read.error));
  }
  return yaml.value;
}

/** The texts of client-go about codes (apimachinery errors.NewGenericServerResponse). */
const texts: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

function refusalText(status: number, contentType: string | undefined, body: string): string {
  const told = statusMessage(body);
  if (told !== undefined) return told;
  const isText = contentType === undefined || contentType.startsWith('text/');
  const message = isText ? body.trim() : 'unknown';
  const known = texts[status];
  if (known !== undefined) return known;
  if (status === 403 || status === 406 || status === 415) return message;
  if (status >= 500) {
    return `an error on the server (${quote(message)}) has prevented the request from succeeding`;
  }
  return `the server responded with the status code ${status} but did not return more information`;
}

// A webhook may return its error as a Status.
function statusMessage(body: string): string | undefined {
  const read = readJson(body);
  if ('error' in read) return undefined;
  const { value } = read;
  if (member(value, 'kind') !== 'Status' || member(value, 'status') === 'Success') return undefined;
  const message = member(value, 'message');
  return textOf(message);
}
