import type { JsonObject } from '@kubeadmit/apimachinery';
import { type User, unknownUser } from '../match/subject.ts';
import { stringField, textsField } from './fields.ts';
import type { RequestSetting } from './request.ts';

/** What is given of the user of a request: `userInfo` of the request and Kyverno's roles. */
export interface GivenUser {
  /** As in an AdmissionRequest. */
  readonly userInfo?: JsonObject | null;
  /** Names of the Roles that are bound to the user, as Kyverno resolves them. */
  readonly roles?: readonly string[] | null;
  /** Names of the ClusterRoles that are bound to the user. */
  readonly clusterRoles?: readonly string[] | null;
}

/** The user as filters see it, and what variables show of it; nobody where nothing is given. */
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
      isUnknown: !roles && !clusterRoles && Object.keys(info).length === 0,
    },
    userVariables: {
      ...(roles && roles.length > 0 && { roles }),
      ...(clusterRoles && clusterRoles.length > 0 && { clusterRoles }),
      userInfo: info,
    },
  };
}
