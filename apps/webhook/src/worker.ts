import cluster from 'node:cluster';
import process from 'node:process';
import { createLog, standardOutput } from './logging/log.ts';
import { LocalAnswerer } from './workers/local-answerer.ts';
import { type Order, problemOf, type Report, started, type Tasks } from './workers/messages.ts';

// A worker process that answers reviews; the first process gives it tasks.

const log = createLog(standardOutput());
let answerer: Partial<Tasks> = {
  configure: async (configuration) => {
    answerer = new LocalAnswerer(configuration, log);
  },
};

// Signals reach every process of a group; when to end is up to the first one.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);

// Writing to a first process that has ended fails, possibly before `disconnect` is emitted.
cluster.worker?.on('error', () => process.exit(0));
process.once('disconnect', () => process.exit(0));

process.on('message', (order: Order) => {
  void obey(order).then((report) => process.send?.(report));
});

// Messages that arrive before the listener is registered are lost.
process.send?.(started);

async function obey({ id, task, given }: Order): Promise<Report> {
  try {
    const perform = answerer[task] as ((...given: readonly unknown[]) => unknown) | undefined;
    if (perform === undefined) throw new Error(`the worker process cannot handle \`${task}\` now`);
    return { id, value: await perform.apply(answerer, [...given]) };
  } catch (error) {
    return { id, problem: problemOf(error) };
  }
}
