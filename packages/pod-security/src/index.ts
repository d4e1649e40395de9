// The Pod Security Standards applied to one object
export { checkPodSecurity, type PodSecurityViolation } from './check-pod-security.ts';
export type { Level } from './standard.ts';
