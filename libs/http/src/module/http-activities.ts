import { DownloadHttpFile } from '../client/download-http-file.js';
import { FlowSendHttpRequest } from '../client/flow-send-http-request.js';
import { SendHttpRequest } from '../client/send-http-request.js';
import { HttpEndpoint } from '../endpoint/http-endpoint.js';
import { WriteFileHttpResponse } from '../responses/write-file-http-response.js';
import { WriteHttpResponse } from '../responses/write-http-response.js';

/** Activities of this library. */
export const httpActivities = [
  HttpEndpoint,
  WriteHttpResponse,
  WriteFileHttpResponse,
  SendHttpRequest,
  FlowSendHttpRequest,
  DownloadHttpFile,
] as const;
