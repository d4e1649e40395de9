import { expect, test } from 'vitest';
import { invalid, notSupported, required } from '../../src/field-errors.ts';
import type { Status } from '../../src/index.ts';
import {
  alreadyExistsStatus,
  badRequestStatus,
  conflictStatus,
  expiredStatus,
  forbiddenStatus,
  generateNameConflictStatus,
  internalErrorStatus,
  invalidStatus,
  methodNotSupportedStatus,
  notFoundStatus,
  requestEntityTooLargeStatus,
} from '../../src/status.ts';
import recorded from './statuses.json' with { type: 'json' };

const deployments = { group: 'apps', name: 'deployments' };
const pods = { group: '', name: 'pods' };
const kind = { group: 'apps', name: 'Deployment' };

// The statuses of `k8s.io/apimachinery` 0.37.1 for the same failures (`pkg/api/errors`), field errors among them.
const made: Readonly<Record<string, Status>> = {
  notFound: notFoundStatus(deployments, 'web'),
  notFoundInCore: notFoundStatus(pods, 'web'),
  alreadyExists: alreadyExistsStatus(deployments, 'web'),
  conflict: conflictStatus(deployments, 'web', 'it has changed'),
  forbidden: forbiddenStatus(deployments, 'web', 'no'),
  forbiddenWithoutName: forbiddenStatus(deployments, '', 'no'),
  forbiddenOfNothing: forbiddenStatus({ group: '', name: '' }, '', 'no'),
  invalid: invalidStatus(kind, 'web', [
    invalid('spec.replicas', -1, 'must be greater than or equal to 0'),
  ]),
  // Messages are listed once each, causes always.
  invalidTwice: invalidStatus(kind, 'web', [
    required('spec.selector'),
    notSupported('spec.type', 'x', ['a', 'b']),
    required('spec.selector'),
  ]),
  badRequest: badRequestStatus('it is none'),
  internalError: internalErrorStatus('it broke'),
  expired: expiredStatus('too old'),
  entityTooLarge: requestEntityTooLargeStatus('limit is 3'),
  methodNotSupported: methodNotSupportedStatus(pods, 'patch'),
  noNameGenerated: generateNameConflictStatus(deployments, 'web-x', 1),
};

test.each(recorded)('$name', ({ name, status }) => {
  expect(made[name]).toEqual(status);
});

test('every failure that is made was recorded', () => {
  expect(Object.keys(made)).toEqual(recorded.map(({ name }) => name));
});
