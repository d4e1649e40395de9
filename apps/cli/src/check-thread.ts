import { parentPort, workerData } from 'node:worker_threads';
import { loadCheck } from '@kubeadmit/check';
import { planCheck, reportFrame } from '@kubeadmit/check/internal';
import { Judge, type Stretch } from './check/judge.ts';
import { ManifestReceiver, type ThreadSetup } from './check/thread-setup.ts';
import { arePlaced } from './output/check/stream.ts';
import { reportStream } from './output/check/streams.ts';
import { colouredStyle, plainStyle } from './output/style.ts';

/** A thread of `kubeadmit check`: plans the same check, and answers stretches of it. */
async function start(): Promise<void> {
  const setup = workerData as ThreadSetup;
  const judge = await judgeOf(setup);
  parentPort?.on('message', (stretch: Stretch) => {
    parentPort?.postMessage(judge.judge(stretch));
  });
  parentPort?.postMessage('ready');
}

async function judgeOf(setup: ThreadSetup): Promise<Judge> {
  const { given, old, settings, isLeavingOut, kubernetesVersion, targets, isColoured } = setup;
  const receiver = new ManifestReceiver();
  const oldResources = old.map((manifest) => receiver.receive(manifest));
  const all = given.map(({ role, ...manifest }) => ({
    manifest: receiver.receive(manifest),
    role,
  }));
  // Problems were reported already.
  const unreadable = isLeavingOut ? [{ file: '', message: '' }] : [];
  const plan = await planCheck(all, { ...settings, oldResources, unreadable }, () => undefined);
  const loaded = await loadCheck(plan, { kubernetesVersion, clock: Date.now });
  const frame = { ...reportFrame(plan, loaded), isSchemaCheck: plan.isSchemaCheck };
  return new Judge({
    plan,
    loaded,
    streams: targets.map((target) => reportStream({ ...target, ...frame })),
    kubernetesVersion,
    isPlaced: arePlaced(targets),
    style: () => (isColoured ? colouredStyle : plainStyle),
  });
}

void start();
