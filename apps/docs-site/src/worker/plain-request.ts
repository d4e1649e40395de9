import type { RequestSetting } from './judgement.ts';

/** How objects are asked about before anybody says otherwise. */
export const plainRequest: RequestSetting = {
  operation: 'CREATE',
  user: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
  namespace: 'default',
  subresource: '',
  dryRun: false,
  oldObjects: '',
};
