import { type FieldError, member, memberList, memberText } from '@kubeadmit/apimachinery';
import { forbidden, invalid, missing } from '@kubeadmit/apimachinery/field-errors';
import { isPlainObject } from '@kubeadmit/base';

/** The fields of containers that ephemeral containers cannot set, in Go's order (`allowedEphemeralContainerFields`). */
const refusedFields = [
  ...['ports', 'resources', 'resizePolicy', 'restartPolicy', 'restartPolicyRules'],
  ...['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'],
];

const refusal = 'cannot be set for an Ephemeral Container';

/**
 * Validates the fields that ephemeral containers restrict more than other containers (core validation
 * `validateEphemeralContainers`).
 */
export function ephemeralContainerErrors(spec: unknown, at: string): FieldError[] {
  const others = ['containers', 'initContainers'].flatMap((list) =>
    memberList(spec, list).map((container) => memberText(container, 'name')),
  );
  return memberList(spec, 'ephemeralContainers').flatMap((container, i) => {
    const place = `${at}.ephemeralContainers[${i}]`;
    return [
      ...imageErrors(container, place),
      ...targetErrors(container, others, place),
      ...refusedFields
        .filter((field) => isSet(member(container, field)))
        .map((field) => forbidden(`${place}.${field}`, refusal)),
      ...subPathErrors(container, place),
    ];
  });
}

// core validation `validateContainerOnlyForPod`
function imageErrors(container: unknown, at: string): FieldError[] {
  const image = memberText(container, 'image');
  if (image.trim() === image) return [];
  return [invalid(`${at}.image`, image, 'must not have leading or trailing whitespace')];
}

function targetErrors(container: unknown, others: readonly string[], at: string): FieldError[] {
  const target = memberText(container, 'targetContainerName');
  if (target === '' || others.includes(target)) return [];
  return [missing(`${at}.targetContainerName`, target)];
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return !isPlainObject(value) || Object.keys(value).length > 0;
}

function subPathErrors(container: unknown, at: string): FieldError[] {
  return memberList(container, 'volumeMounts').flatMap((mount, i) =>
    ['subPath', 'subPathExpr']
      .filter((field) => memberText(mount, field) !== '')
      .map((field) => forbidden(`${at}.volumeMounts[${i}].${field}`, refusal)),
  );
}
