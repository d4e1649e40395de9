// Roles, their bindings, and the permissions that they grant.

export { ChangingPermissions } from './changing-permissions.ts';
export {
  aggregationOf,
  isSubject,
  type PolicyRule,
  type RoleReference,
  roleReferenceOf,
  rulesOfRole,
} from './rbac-objects.ts';
