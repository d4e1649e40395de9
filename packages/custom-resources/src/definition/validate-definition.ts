import {
  type FieldError,
  isObject,
  type JsonObject,
  member,
  memberObject,
  memberText,
  type ObjectMeta,
  objectOf,
} from '@kubeadmit/apimachinery';
import { describeValue, requireArgument, requireOptions } from '@kubeadmit/base';
import { newestMinor, oldestMinor } from '@kubeadmit/engine';
import { parseUrl, quote, requestUriError } from '@kubeadmit/go';
import { requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import { type Finding, invalid, keyPath, required, toFieldError } from '../schema/finding.ts';
import { validateCreatedMetadata } from '../schema/validate-metadata.ts';
import type { DefiningServer } from './defining-server.ts';
import { readDefinitionSpec } from './definition-spec.ts';
import { validateNames } from './validate-names.ts';
import { validateSpec } from './validate-spec.ts';

/**
 * Validates a CustomResourceDefinition at creation (apiextensions, `ValidateCustomResourceDefinition`).
 *
 * @param definition the object as the server holds it: decoded, with its defaults.
 * @throws TypeError if `definition` is not an object, or the server lacks schemas or a known minor version.
 */
export function validateDefinition(definition: JsonObject, server: DefiningServer): FieldError[] {
  requireArgument('validateDefinition', definition, { what: 'a CustomResourceDefinition' });
  requireOptions('validateDefinition', server, { schemas: 'any', minor: 'number' });
  requireSchemas('validateDefinition', server.schemas);
  if (!(server.minor >= oldestMinor && server.minor <= newestMinor)) {
    const found = describeValue(server.minor);
    throw new TypeError(
      `validateDefinition: \`minor\` must be one of ${oldestMinor} to ${newestMinor}, got ${found}`,
    );
  }
  return findingsOf(definition, server).map(toFieldError);
}

function findingsOf(definition: JsonObject, server: DefiningServer): Finding[] {
  const spec = readDefinitionSpec(definition);
  return [
    ...validateMetadata(definition, `${memberText(spec.names, 'plural')}.${spec.group}`),
    ...validateSpec(spec, server),
    ...validateNames(acceptedNames(definition), 'status.acceptedNames'),
    ...validateStoredVersions(spec.storedVersions, spec.versions),
    ...validateApproval(definition, spec.group),
    ...(spec.preservesUnknownFields
      ? [
          invalid(
            'spec.preserveUnknownFields',
            true,
            'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
          ),
        ]
      : []),
  ];
}

function acceptedNames(definition: JsonObject): JsonObject {
  const status = member(definition, 'status');
  const names = isObject(status) ? member(status, 'acceptedNames') : undefined;
  return objectOf(names);
}

function validateMetadata(definition: JsonObject, name: string): Finding[] {
  const meta = memberObject(definition, 'metadata');
  const findings = validateCreatedMetadata(meta as ObjectMeta, {
    isNamespaced: false,
    nameRule: 'dns1123Subdomain',
    path: 'metadata',
  });
  const result = [...findings];
  const detail = 'must be spec.names.plural+"."+spec.group';
  let position = 0;
  for (const key of ['generateName', 'name']) {
    const path = `metadata.${key}`;
    while (result[position]?.path === path) position++;
    const given = memberText(meta, key);
    if (given === '' || given === name) continue;
    result.splice(position, 0, invalid(path, given, detail));
    position++;
  }
  return result;
}

function validateStoredVersions(
  stored: readonly string[],
  versions: readonly JsonObject[],
): Finding[] {
  const path = 'status.storedVersions';
  if (stored.length === 0) return [invalid(path, null, 'must have at least one stored version')];
  const findings: Finding[] = [];
  const left = new Set(stored);
  for (const version of versions) {
    const name = memberText(version, 'name');
    if (member(version, 'storage') === true && !left.has(name)) {
      findings.push(invalid(path, stored, `must have the storage version ${name}`));
    }
    left.delete(name);
  }
  for (const name of left) {
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    findings.push(invalid(keyPath(path, stored.lastIndexOf(name)), name, detail));
  }
  return findings;
}

const approvalKey = 'api-approved.kubernetes.io';

function validateApproval(definition: JsonObject, group: string): Finding[] {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return [];
  const annotations = member(memberObject(definition, 'metadata'), 'annotations');
  const approval = isObject(annotations) ? memberText(annotations, approvalKey) : '';
  const path = keyPath('metadata.annotations', approvalKey);
  const link = 'see https://github.com/kubernetes/enhancements/pull/1111';
  const detail = `protected groups must have approval annotation ${quote(approvalKey)}`;
  if (approval === '') return [required(path, `${detail}, ${link}`)];
  if (approval.startsWith('unapproved') || isAbsoluteUrl(approval)) return [];
  return [
    invalid(
      path,
      approval,
      `${detail} with either a URL or a reason starting with "unapproved", ${link}`,
    ),
  ];
}

function isAbsoluteUrl(text: string): boolean {
  if (requestUriError(text) !== undefined) return false;
  const url = parseUrl(text);
  return !('error' in url) && url.host !== '' && url.scheme !== '';
}
