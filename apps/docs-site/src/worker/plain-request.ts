import type { RequestSetting } from './judgement.ts';

/** The default request for objects. */
export const plainRequest: RequestSetting = {
  operation: 'CREATE',
  user: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
  namespace: 'default',
  subresource: '',
  dryRun: false,
  oldObjects: '',
};
