// The schema of a stored failure: apart from the table, which the sidebar's page loads as well.

import * as z from 'zod/mini';
import { lazySchema } from '../schema/stored-record';
import { type Failure, isFailure } from './failure';

export const failureSchema = lazySchema(() => z.custom<Failure>(isFailure));
