import type { AdmissionPlugin, PluginOutcome, PluginRequest } from './plugin.ts';
import { forbid } from './refusal.ts';

/** Admits everything; kept for old configurations. */
export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit', operations: [] };

/** Denies everything; kept for old configurations. */
export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  mutate: deny,
  validate: deny,
};

function deny(request: PluginRequest): PluginOutcome {
  return forbid(request, 'admission control is denying all modifications');
}
