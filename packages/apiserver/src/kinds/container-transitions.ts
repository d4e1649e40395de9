import { memberAt } from '@kubeadmit/admission/writes';
import { type FieldError, member, memberList, memberText } from '@kubeadmit/apimachinery';
import { forbidden } from '@kubeadmit/apimachinery/field-errors';

/** The statuses of containers, and the containers whose restart policies apply to them. */
const lists = [
  { statuses: 'containerStatuses', containers: 'containers' },
  { statuses: 'initContainerStatuses', containers: 'initContainers' },
  // Ephemeral containers never start again.
  { statuses: 'ephemeralContainerStatuses', containers: undefined },
] as const;

/**
 * Returns the errors about containers that leave the terminated state although they may not start again
 * (core validation `ValidateContainerStateTransition` and the same for init and ephemeral containers).
 */
export function transitionErrors(status: unknown, before: unknown, spec: unknown): FieldError[] {
  const restartsAll = restartsAllContainers(spec);
  return lists.flatMap(({ statuses, containers }) => {
    if (containers !== undefined && restartsAll) return [];
    const now = memberList(status, statuses);
    return memberList(before, statuses).flatMap((old, i) => {
      const end = memberAt(old, 'state', 'terminated') ?? undefined;
      const name = memberText(old, 'name');
      const next = now.find((each) => memberText(each, 'name') === name);
      const isEnded = (memberAt(next, 'state', 'terminated') ?? undefined) !== undefined;
      if (end === undefined || next === undefined || isEnded) return [];
      const own = memberList(spec, containers ?? '').find(
        (each) => memberText(each, 'name') === name,
      );
      if (own !== undefined && mayRestart(own, spec, Number(member(end, 'exitCode') ?? 0)))
        return [];
      const why = 'may not be transitioned to non-terminated state';
      return [forbidden(`status.${statuses}[${i}].state`, why)];
    });
  });
}

// api/v1/pod `AllContainersCouldRestart`
function restartsAllContainers(spec: unknown): boolean {
  return ['initContainers', 'containers'].some((list) =>
    memberList(spec, list).some((container) =>
      memberList(container, 'restartPolicyRules').some(
        (rule) => memberText(rule, 'action') === 'RestartAllContainers',
      ),
    ),
  );
}

// api/v1/pod `ContainerShouldRestart`
function mayRestart(container: unknown, spec: unknown, exitCode: number): boolean {
  const own = memberText(container, 'restartPolicy');
  const rule = memberList(container, 'restartPolicyRules').find((each) =>
    matchesExit(member(each, 'exitCodes'), exitCode),
  );
  if (own !== '' && memberText(rule, 'action') === 'Restart') return true;
  const policy = own || memberText(spec, 'restartPolicy');
  return policy === 'OnFailure' ? exitCode !== 0 : policy !== 'Never';
}

// api/v1/pod `FindMatchingContainerRestartRule`
function matchesExit(exitCodes: unknown, exitCode: number): boolean {
  const isListed = memberList(exitCodes, 'values').some((value) => Number(value) === exitCode);
  const operator = memberText(exitCodes, 'operator');
  return operator === 'In' ? isListed : operator === 'NotIn' && !isListed;
}
