import type { JsonObject } from '@kubeadmit/apimachinery';
import { stringField, textsField } from '../fields/fields.ts';
import { type User, unknownUser } from '../match/subject.ts';
import type { RequestSetting } from './request.ts';

/** The given facts about the user of a request: `userInfo` and Kyverno's roles. */
export interface GivenUser {
  /** As in an AdmissionRequest. */
  readonly userInfo?: JsonObject | null;
  /** Names of the Roles that are bound to the user, as Kyverno resolves them. */
  readonly roles?: readonly string[] | null;
  /** Names of the ClusterRoles that are bound to the user. */
  readonly clusterRoles?: readonly string[] | null;
}

/** Returns the user for filters, and the variables about the user; the unknown user if nothing is given. */
export function readUser(given: GivenUser): Pick<RequestSetting, 'userVariables'> & { user: User } {
  const { userInfo, roles, clusterRoles } = given;
  if (!userInfo && !roles && !clusterRoles) return { user: unknownUser };
  const info = userInfo ?? {};
  return {
    user: {
      username: stringField(info, 'username'),
      groups: textsField(info, 'groups'),
      roles: roles ?? [],
      clusterRoles: clusterRoles ?? [],
      isUnknown: !roles && !clusterRoles && Object.values(info).every(isZero),
    },
    userVariables: {
      ...(roles && roles.length > 0 && { roles }),
      ...(clusterRoles && clusterRoles.length > 0 && { clusterRoles }),
      userInfo: info,
    },
  };
}

/** Whether Go's type has the zero value of a field; an empty list or map is another value. */
function isZero(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
