import { member, memberText } from '@kubeadmit/apimachinery';
import { formatAggregate } from '@kubeadmit/apimachinery/field-errors';
import { failureStatus } from '@kubeadmit/apimachinery/status';
import { getOrMake } from '@kubeadmit/base';
import type { AdmissionPlugin, PluginRequest } from '../plugin.ts';
import { refuse } from '../refusal.ts';
import { type EventLimit, limitsProblem, readEventLimits } from './configuration.ts';

/** A number of events that may be taken at once, refilled over time (client-go flowcontrol token bucket). */
interface Bucket {
  tokens: number;
  /** The time of the last refill in milliseconds since 1970. */
  at: number;
}

interface Limit extends EventLimit {
  readonly buckets: Map<string, Bucket>;
}

/** Refuses events beyond the limits of its configuration; without one, it admits all. */
export const eventRateLimit: AdmissionPlugin = pluginWith([]);

function pluginWith(limits: readonly Limit[]): AdmissionPlugin {
  return {
    name: 'EventRateLimit',
    operations: ['CREATE', 'UPDATE'],
    validate: (request, cluster) => {
      const { kind, dryRun } = request;
      if (kind.kind !== 'Event' || kind.group !== '' || dryRun) return undefined;
      const errors = limits.flatMap((limit) => {
        const key = keyOf(limit.type, request);
        if (takes(limit, key, cluster.now())) return [];
        return [`limit reached on type ${limit.type} for key ${key}`];
      });
      if (errors.length === 0) return undefined;
      return refuse(failureStatus(429, formatAggregate(errors), { reason: 'TooManyRequests' }));
    },
    configure: (configuration, warn) =>
      pluginWith(
        readEventLimits(configuration, warn).map((limit) => ({ ...limit, buckets: new Map() })),
      ),
    unconfigured: limitsProblem(null),
  };
}

function takes({ perSecond, burst, buckets }: Limit, key: string, now: number): boolean {
  const bucket = getOrMake(buckets, key, (): Bucket => ({ tokens: burst, at: now }));
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
  bucket.at = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}

function keyOf(type: string, { namespace, user, object }: PluginRequest): string {
  if (type === 'Namespace') return namespace;
  if (type === 'User') return user.username ?? '';
  if (type !== 'SourceAndObject') return '';
  const source = member(object, 'source');
  const involved = member(object, 'involvedObject');
  return [
    ...['component', 'host'].map((name) => memberText(source, name)),
    ...['kind', 'namespace', 'name', 'uid', 'apiVersion'].map((name) => memberText(involved, name)),
  ].join('');
}
