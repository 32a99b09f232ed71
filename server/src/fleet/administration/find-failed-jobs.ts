import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties } from '../../platform/search/request-schema.ts';
import { search } from '../../platform/search/search.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  exampleFailedJob,
  type FailedJobRow,
  FailedJobSchema,
  failedJobOf,
  failedJobs,
} from './failed-job.ts';

const FindFailedJobsSchema = Type.Object(searchProperties(failedJobs.fields), {
  $id: 'FindFailedJobsRequest',
  additionalProperties: false,
});

export const findFailedJobs = operation({
  id: 'findFailedJobs',
  method: 'POST',
  path: '/administration/failed-jobs/search',
  tag: 'Administration',
  role: 'admin',
  workload: 'search',
  origin: 'motorpool',
  summary: 'Find work that was given up',
  description:
    'Returns the jobs for this asset provider that failed at their last try and match all filters, in pages; the newest first unless another order is asked for. They stay for a year, or until the operator has them tried again.',
  parameters: {},
  body: {
    schema: FindFailedJobsSchema,
    required: false,
    parse: (body) => parseSearch(failedJobs, body),
    examples: {
      recent: {
        summary: 'Since yesterday',
        value: {
          filters: [{ field: 'updatedAt', operator: 'gte', value: '2026-11-15T00:00:00Z' }],
        },
      },
    },
  },
  responses: {
    200: pageResponse(
      'FindFailedJobsResponse',
      'A page of jobs.',
      FailedJobSchema,
      exampleFailedJob,
    ),
  },
  notFound: [],
  async handler({ provider, body }, { db }: Dependencies) {
    const scope = { conditions: ['j.provider = $1'], values: [provider.id] };
    const found = await search<FailedJobRow>(db, failedJobs, scope, body);
    return { status: 200, body: pageBody(found.rows, found, { itemOf: failedJobOf }) };
  },
});
