export { TestCluster, type TestClusterOptions, type TestRequest } from '@kubeadmit/testing';
export {
  type ExpectedMutation,
  type ExpectedOutcome,
  type ExpectedRefusal,
  type PolicyMatchers,
  policyMatchers,
} from './matchers.ts';
