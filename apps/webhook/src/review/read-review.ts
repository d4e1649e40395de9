import { isUtf8 } from 'node:buffer';
import { member } from '@kubeadmit/apimachinery';
import { hasMembers } from '@kubeadmit/base';
import { parseJson } from '@kubeadmit/cel';
import { type AdmissionRequest, isOperation } from '@kubeadmit/engine';
import { JsonError } from '@kubeadmit/go';
import { isTooDeep } from './depth.ts';
import { Refusal } from './refusal.ts';

/** A request of kube-apiserver, and the API version of its answer. */
export interface Review {
  readonly apiVersion: ReviewVersion;
  readonly request: AdmissionRequest & { readonly uid: string };
}

/** The versions of AdmissionReview. */
export type ReviewVersion = 'admission.k8s.io/v1' | 'admission.k8s.io/v1beta1';

const versions: readonly string[] = [
  'admission.k8s.io/v1',
  'admission.k8s.io/v1beta1',
] satisfies readonly ReviewVersion[];

/**
 * Reads the AdmissionReview in a body.
 *
 * @throws Refusal if kube-apiserver could not have sent the body
 */
export function readReview(body: Buffer): Review {
  const review = parse(body);
  const apiVersion = member(review, 'apiVersion');
  if (member(review, 'kind') !== 'AdmissionReview' || !isReviewVersion(apiVersion)) {
    throw new Refusal(400, `expected an AdmissionReview of ${versions.join(' or ')}`);
  }
  const request = member(review, 'request');
  if (!hasMembers(request)) throw new Refusal(400, 'the review has no request');
  checkFields(request);
  return { apiVersion, request: request as object as Review['request'] };
}

function parse(body: Buffer): unknown {
  // Node silently replaces invalid UTF-8, so policies would see another string than the server stores.
  if (!isUtf8(body)) throw new Refusal(400, 'the body is not UTF-8');
  if (isTooDeep(body)) throw new Refusal(400, 'the body is nested too deeply');
  try {
    return parseJson(body.toString('utf8'));
  } catch (error) {
    if (error instanceof JsonError) throw new Refusal(400, `invalid JSON: ${error.message}`);
    throw error;
  }
}

function checkFields(request: object): void {
  for (const name of ['uid', 'operation']) {
    const value = member(request, name);
    if (typeof value !== 'string' || value === '') throw refusedField(name, 'a string');
  }
  if (!isOperation(String(member(request, 'operation')))) {
    throw new Refusal(400, 'unsupported request.operation');
  }
  for (const name of ['name', 'namespace', 'subResource', 'requestSubResource']) {
    const value = member(request, name) ?? '';
    if (typeof value !== 'string') throw refusedField(name, 'a string');
  }
  checkNames(request, 'kind', ['group', 'version', 'kind']);
  checkNames(request, 'resource', ['group', 'version', 'resource']);
  if (member(request, 'requestKind') != null) {
    checkNames(request, 'requestKind', ['group', 'version', 'kind']);
  }
  if (member(request, 'requestResource') != null) {
    checkNames(request, 'requestResource', ['group', 'version', 'resource']);
  }
  for (const name of ['object', 'oldObject', 'options']) {
    const value = member(request, name) ?? {};
    if (!hasMembers(value)) throw refusedField(name, 'an object');
  }
  if (!['boolean', 'undefined'].includes(typeof (member(request, 'dryRun') ?? undefined))) {
    throw refusedField('dryRun', 'a boolean');
  }
  checkUser(member(request, 'userInfo'));
}

function checkNames(request: object, field: string, names: readonly string[]): void {
  const value = member(request, field);
  if (!hasMembers(value)) throw refusedField(field, 'an object');
  for (const name of names) {
    const text = member(value, name) ?? '';
    if (typeof text !== 'string') throw refusedField(`${field}.${name}`, 'a string');
    if (text === '' && name !== 'group') throw refusedField(`${field}.${name}`, 'a string');
  }
}

function checkUser(user: unknown): void {
  if (user == null) return;
  if (!hasMembers(user)) throw refusedField('userInfo', 'an object');
  for (const name of ['username', 'uid']) {
    if (typeof (member(user, name) ?? '') !== 'string')
      throw refusedField(`userInfo.${name}`, 'a string');
  }
  if (!isTexts(member(user, 'groups') ?? []))
    throw refusedField('userInfo.groups', 'a list of strings');
  const extra = member(user, 'extra') ?? {};
  if (!hasMembers(extra) || !Object.values(extra).every((each) => isTexts(each ?? []))) {
    throw refusedField('userInfo.extra', 'a map of lists of strings');
  }
}

function refusedField(name: string, expected: string): Refusal {
  return new Refusal(400, `request.${name} must be ${expected}`);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isReviewVersion(value: unknown): value is ReviewVersion {
  return typeof value === 'string' && versions.includes(value);
}
