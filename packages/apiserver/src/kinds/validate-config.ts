import {
  annotationsOf,
  type FieldError,
  type KubernetesObject,
  member,
} from '@kubeadmit/apimachinery';
import { invalid, required, tooLong } from '@kubeadmit/apimachinery/field-errors';
import { byteLength, decodeBase64, decodeUtf8Leniently } from '@kubeadmit/go';
import { scanJson } from '@kubeadmit/go/unstable-internal';

const mostBytes = 1024 * 1024;
const mostKeyBytes = 253;
const keyPattern = /^[-._a-zA-Z0-9]+$/;
const keyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Validates the data of a ConfigMap (core validation `ValidateConfigMap`). */
export function validateConfigMap(object: KubernetesObject): FieldError[] {
  const data = mapOf(object, 'data');
  const binary = mapOf(object, 'binaryData');
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...keyErrors(key, 'data'));
    if (Object.hasOwn(binary, key)) {
      errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    size += byteLength(String(value));
  }
  for (const [key, value] of Object.entries(binary)) {
    errors.push(...keyErrors(key, 'binaryData'));
    size += bytesOf(value).length;
  }
  return size > mostBytes ? [...errors, tooLong('[]', mostBytes)] : errors;
}

/** Validates the data of a Secret, including the rules of its type (core validation `ValidateSecret`). */
export function validateSecret(object: KubernetesObject): FieldError[] {
  const data = mapOf(object, 'data');
  const errors = Object.keys(data).flatMap((key) => keyErrors(key, 'data'));
  const size = Object.values(data).reduce((sum: number, value) => sum + bytesOf(value).length, 0);
  if (size > mostBytes) errors.push(tooLong('data', mostBytes));
  return [...errors, ...typeErrors(object, data)];
}

function typeErrors(
  object: KubernetesObject,
  data: Readonly<Record<string, unknown>>,
): FieldError[] {
  const needs = (...keys: readonly string[]): FieldError[] =>
    keys.flatMap((key) => (Object.hasOwn(data, key) ? [] : [required(`data[${key}]`)]));
  switch (member(object, 'type')) {
    case 'kubernetes.io/service-account-token': {
      const name = 'kubernetes.io/service-account.name';
      return annotationsOf(object)[name] ? [] : [required(`metadata.annotations[${name}]`)];
    }
    case 'kubernetes.io/dockercfg':
      return [...needs('.dockercfg'), ...jsonErrors(data, '.dockercfg')];
    case 'kubernetes.io/dockerconfigjson':
      return [...needs('.dockerconfigjson'), ...jsonErrors(data, '.dockerconfigjson')];
    case 'kubernetes.io/basic-auth': {
      const missing = needs('username', 'password');
      return missing.length === 2 ? missing : [];
    }
    case 'kubernetes.io/ssh-auth':
      return bytesOf(data['ssh-privatekey']).length === 0 ? [required('data[ssh-privatekey]')] : [];
    case 'kubernetes.io/tls':
      return needs('tls.crt', 'tls.key');
    default:
      return [];
  }
}

function jsonErrors(data: Readonly<Record<string, unknown>>, key: string): FieldError[] {
  if (!Object.hasOwn(data, key)) return [];
  const read = scanJson(decodeUtf8Leniently(bytesOf(data[key])));
  return 'error' in read ? [invalid(`data[${key}]`, '<secret contents redacted>', read.error)] : [];
}

function keyErrors(key: string, field: string): FieldError[] {
  const at = `${field}[${key}]`;
  if (byteLength(key) > mostKeyBytes) {
    return [invalid(at, key, `must be no more than ${mostKeyBytes} characters`)];
  }
  if (!keyPattern.test(key)) return [invalid(at, key, keyText)];
  if (key === '.') return [invalid(at, key, "must not be '.'")];
  if (key === '..') return [invalid(at, key, "must not be '..'")];
  return key.startsWith('..') ? [invalid(at, key, "must not start with '..'")] : [];
}

function bytesOf(value: unknown): Uint8Array {
  const bytes = typeof value === 'string' ? decodeBase64(value) : new Uint8Array();
  return 'error' in bytes ? new Uint8Array() : bytes;
}

function mapOf(object: KubernetesObject, name: string): Readonly<Record<string, unknown>> {
  const value = member(object, name);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
