import 'reflect-metadata';
import { Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { TypeOrmModule } from '@nestjs/typeorm';
import { generateKeyPair, SignJWT } from 'jose';
import { BearerGuard, issuer, publicKey } from './bearer.guard.js';
import { DataboxController } from './databox.controller.js';
import {
  ChargingSession,
  Incident,
  IncidentDamage,
  Vehicle,
  VehicleMoment,
  VehicleStatus,
} from './entities.js';
import { IncidentsController } from './incidents.controller.js';
import { VehiclesController } from './vehicles.controller.js';

/** The measured operations in idiomatic NestJS. */
const entities = [Vehicle, VehicleStatus, VehicleMoment, ChargingSession, Incident, IncidentDamage];
const keys = await generateKeyPair('RS256', { modulusLength: 2048 });
const { user, password, database, host } = JSON.parse(process.env.DATABASE ?? '{}');

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      host,
      username: user,
      password,
      database,
      entities,
      extra: { max: 10, options: '-c timezone=UTC' },
    }),
    TypeOrmModule.forFeature(entities),
  ],
  controllers: [VehiclesController, IncidentsController, DataboxController],
  providers: [BearerGuard, { provide: publicKey, useValue: keys.publicKey }],
})
class AppModule {}

const adapter = new FastifyAdapter({
  logger: true,
  disableRequestLogging: true,
  bodyLimit: 5 * 1_024 * 1_024,
});
const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, {
  logger: ['error', 'warn'],
});
app.useGlobalPipes(
  new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }),
);
// One line per request, as the service logs.
adapter.getInstance().addHook('onResponse', async (request, reply) => {
  const { method, url } = request;
  request.log.info({ method, url, status: reply.statusCode, ms: reply.elapsedTime }, 'request');
});
await app.listen(0, '127.0.0.1');

const token = await new SignJWT({ provider: process.env.PROVIDER })
  .setProtectedHeader({ alg: 'RS256' })
  .setIssuer(issuer)
  .setExpirationTime('1d')
  .sign(keys.privateKey);
process.stdout.write(`ready ${JSON.stringify({ url: await app.getUrl(), token })}\n`);
