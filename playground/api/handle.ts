// The sandbox of the analysis service as a pure function: takes a request and a state, returns a
// reply and the next state.
import type {
  SandboxAnswer,
  SandboxReply,
  SandboxRequest,
} from 'apps-script-host/internet/sandboxed';
import { createRandom, seedFrom } from 'apps-script-host/random';
import type { Allowance } from './answers';
import { findProduct } from './catalogue';
import { type Dialect, dialectOf } from './dialects';
import { FAULT_PRODUCTS, type FaultName, spoil } from './faults';
import { nameOf, type Question, readKey, readQuestion } from './form';
import { frontPage, SANDBOX_NOTICE } from './front-page';
import { quotaAt, type SandboxKey } from './keys';
import { admit, type Level } from './limits';
import { PROBLEMS, type Problem, type ProblemName } from './problems';
import { productAfter, type SandboxProduct } from './product';
import { RETRY_AFTER } from './rate-signals';
import { answer } from './reply';
import { SAMPLE_PRODUCTS } from './samples';
import {
  callsByProduct,
  countsOf,
  createState,
  type Outcome,
  record,
  type SandboxState,
} from './state';

export type { SandboxState };
export { createState };

interface Verdict {
  readonly reply: SandboxReply;
  readonly outcome: Outcome;
  readonly key: SandboxKey | null;
  readonly level?: Level;
}

/** One call, with what is known before anything is decided. */
interface Call {
  readonly state: SandboxState;
  readonly nowMs: number;
  readonly dialect: Dialect;
  readonly question: Question | ProblemName;
}

type Headers = Readonly<Record<string, string>>;

const ANALYZE_PATH = '/v1/analyze';

export function handle(
  request: SandboxRequest,
  state: SandboxState,
  nowMs: number,
): { readonly reply: SandboxReply; readonly state: SandboxState } {
  const path = request.path.split('?', 1)[0];
  if (path === '/' && request.method === 'GET') {
    const page = answer(200, 'text/html; charset=utf-8', frontPage(state.dialect));
    return { reply: signed(page, state), state };
  }
  const dialect = dialectOf(state.dialect);
  const question = readQuestion(request, dialect);
  const call = { state, nowMs, dialect, question };
  const verdict = path === ANALYZE_PATH ? judge(request, call) : refused(call, 'no-such-path');
  const arrival = {
    atMs: nowMs,
    key: verdict.key?.name ?? null,
    product: typeof question === 'string' ? null : nameOf(question),
    outcome: verdict.outcome,
  };
  return {
    reply: delayed(signed(verdict.reply, state), state),
    state: record(state, arrival, verdict.level),
  };
}

function judge(request: SandboxRequest, call: Call): Verdict {
  const { state, nowMs } = call;
  if (request.method !== 'POST') return refused(call, 'bad-method', null, { allow: 'POST' });
  const chance = createRandom(seedFrom(state.seed, 'outage', state.arrived));
  const outage = state.outages.find(
    ({ fromMs, toMs, share = 1 }) => fromMs <= nowMs && nowMs < toMs && chance.next() < share,
  );
  if (outage !== undefined) return spoilt(call, outage.fault ?? 'outage', null, null);
  const key = readKey(request, state.keys);
  if (typeof key === 'string') return refused(call, key, null, { 'www-authenticate': 'Bearer' });
  if (key.revoked) return refused(call, 'revoked-key', key, { 'www-authenticate': 'Bearer' });
  const quota = quotaAt(key, nowMs);
  if (quota === null) return serve(call, key, null);
  const admission = admit(quota, state.levels[key.name], nowMs);
  const allowance = { quota, admission };
  const verdict = admission.admitted
    ? serve(call, key, key.silentAboutQuota ? null : allowance)
    : tooFast(call, key, allowance);
  return { ...verdict, level: admission.level };
}

function tooFast(call: Call, key: SandboxKey, allowance: Allowance): Verdict {
  if (key.silentAboutQuota) return refused(call, 'too-fast', key);
  const when = RETRY_AFTER[call.dialect.retryAfter](allowance.admission.waitMs, call.nowMs);
  return refused(call, 'too-fast', key, when, allowance);
}

/** Answers a call that the key's quota admits. */
function serve(call: Call, key: SandboxKey, allowance: Allowance | null): Verdict {
  const { state, question, dialect, nowMs } = call;
  if (countsOf(state, key.name).answered >= (key.planAnswers ?? Number.POSITIVE_INFINITY)) {
    return refused(call, 'out-of-plan', key, {}, allowance);
  }
  if (typeof question === 'string') return refused(call, question, key, {}, allowance);
  const fault = state.faults[question.asin] ?? FAULT_PRODUCTS[question.asin]?.fault;
  if (fault !== undefined) return spoilt(call, fault, key, allowance);
  const product = findProduct(state.catalogue, question.asin, question.market);
  if (product === undefined) return refused(call, 'unknown-product', key, {}, allowance);
  const today = productAfter(product, state.daysLater);
  const reply = goodAnswer(today, dialect, nowMs, allowance);
  return { reply, outcome: 'answered', key };
}

function goodAnswer(
  product: SandboxProduct,
  dialect: Dialect,
  nowMs: number,
  allowance: Allowance | null,
): SandboxAnswer {
  const body = JSON.stringify(dialect.answer(product, allowance));
  const headers = allowance === null ? {} : dialect.signals(allowance, nowMs);
  return answer(200, 'application/json', body, headers);
}

function refused(
  call: Call,
  name: ProblemName,
  key: SandboxKey | null = null,
  headers: Headers = {},
  allowance: Allowance | null = null,
): Verdict {
  return { reply: refusal(call, name, headers, allowance), outcome: name, key };
}

function refusal(
  { dialect, nowMs }: Call,
  name: ProblemName,
  headers: Headers,
  allowance: Allowance | null,
): SandboxAnswer {
  const usual: Problem = PROBLEMS[name];
  const problem = { ...usual, status: dialect.statuses?.[name] ?? usual.status };
  const { contentType, text } = dialect.error(problem, allowance);
  const signals = allowance === null ? {} : dialect.signals(allowance, nowMs);
  return answer(problem.status, contentType, text, { ...signals, ...headers });
}

function spoilt(
  call: Call,
  fault: FaultName,
  key: SandboxKey | null,
  allowance: Allowance | null,
): Verdict {
  const { state, question, dialect, nowMs } = call;
  const asked = typeof question === 'string' ? null : question;
  const reply = spoil(fault, {
    good: goodAnswer(spoilable(state, asked), dialect, nowMs, allowance),
    refuse: (name, headers = {}) => refusal(call, name, headers, allowance),
    askedBefore: () => (asked === null ? 0 : (callsByProduct(state).get(nameOf(asked)) ?? 0)),
  });
  return { reply, outcome: fault, key };
}

/**
 * No catalogue contains test ASINs. The answer to spoil is then that of the first sample, under the
 * requested ASIN.
 */
function spoilable(state: SandboxState, asked: Question | null): SandboxProduct {
  const { asin, market } = asked ?? { asin: '', market: 'US' };
  const found = findProduct(state.catalogue, asin, market);
  const sample = SAMPLE_PRODUCTS.find((one) => one.market === market)?.asin ?? '';
  const standIn = found ?? findProduct(state.catalogue, sample, market);
  if (standIn === undefined) throw new Error(`No sample product on the market ${market}.`);
  return { ...standIn, asin };
}

function signed(reply: SandboxReply, state: SandboxState): SandboxReply {
  if (reply.kind !== 'answer') return reply;
  const headers = {
    ...reply.headers,
    'x-sandbox': SANDBOX_NOTICE,
    'x-request-id': `sandbox-${String(state.arrived + 1).padStart(6, '0')}`,
  };
  return { ...reply, headers };
}

/**
 * Each arrival has its own latency, so that an additional call does not change that of the others.
 */
function delayed(reply: SandboxReply, state: SandboxState): SandboxReply {
  if (reply.kind === 'silence') return reply;
  const { medianMs, sigma } = state.latency;
  const random = createRandom(seedFrom(state.seed, 'latency', state.arrived));
  return { ...reply, delayMs: reply.delayMs + Math.round(random.logNormal(medianMs, sigma)) };
}
