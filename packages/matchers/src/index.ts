export {
  type Asked,
  type ExpectedMessage,
  type ExpectedMutation,
  type ExpectedOutcome,
  type ExpectedRefusal,
  type PolicyMatchers,
  policyMatchers,
  testCluster,
} from './matchers.ts';
