SELECT * FROM trips
SELECT id, fare FROM trips WHERE fare > 20
SELECT id FROM trips WHERE fare > 20 AND distance < 5
SELECT id FROM trips WHERE fare > 20 OR distance < 5
SELECT id FROM trips WHERE NOT (fare > 20)
SELECT id FROM trips WHERE fare IS NULL
SELECT id FROM trips WHERE fare IS NOT NULL AND kind IS NOT NULL
SELECT id FROM trips WHERE kind = 'day'
SELECT id FROM trips WHERE kind <> 'day'
SELECT id FROM trips WHERE kind != 'day'
SELECT id FROM trips WHERE kind IN ('day', 'night')
SELECT id FROM trips WHERE kind NOT IN ('day', 'night')
SELECT id FROM trips WHERE zone IN (1, 2, 3)
SELECT id FROM trips WHERE zone NOT IN (1, 2, 3)
SELECT id FROM trips WHERE zone IN (1, 2, NULL)
SELECT id FROM trips WHERE zone NOT IN (1, 2, NULL)
SELECT id FROM trips WHERE fare IN (10.5, 20.25, 7)
SELECT id FROM trips WHERE day IN (date '2024-01-05', date '2024-02-01')
SELECT id FROM trips WHERE zone BETWEEN 2 AND 4
SELECT id FROM trips WHERE zone NOT BETWEEN 2 AND 4
SELECT id FROM trips WHERE day BETWEEN date '2024-01-10' AND date '2024-02-10'
SELECT id FROM trips WHERE day >= '2024-02-01'
SELECT id FROM trips WHERE started < timestamp '2024-01-03 12:00:00'
SELECT id FROM trips WHERE kind LIKE 'd%'
SELECT id FROM trips WHERE kind LIKE '%i%t'
SELECT id FROM trips WHERE kind NOT LIKE '_a_'
SELECT id FROM trips WHERE kind ILIKE 'D%'
SELECT id FROM trips WHERE note LIKE '100$%%' ESCAPE '$'
SELECT id FROM trips WHERE note LIKE '%é%'
SELECT id FROM trips WHERE paid
SELECT id FROM trips WHERE NOT paid
SELECT id FROM trips WHERE paid IS TRUE
SELECT id FROM trips WHERE paid IS NOT TRUE
SELECT id FROM trips WHERE paid IS FALSE
SELECT id FROM trips WHERE paid IS NOT FALSE
SELECT id FROM trips WHERE paid = (zone > 2)
SELECT id FROM trips WHERE kind IS DISTINCT FROM 'day'
SELECT id FROM trips WHERE kind IS NOT DISTINCT FROM NULL
SELECT id, zone + 1, zone - 1, zone * 2, zone / 2, zone % 3, -zone FROM trips
SELECT id, fare + 1, fare - 0.5, fare * 2, fare / 3, fare * fare FROM trips
SELECT id, distance + 1, distance * fare, distance / 2, distance - zone FROM trips
SELECT id, small + 1, small + big, big * 2, small * 1.5 FROM trips
SELECT id, mod(zone, 3), abs(zone - 3), abs(-fare), sign(zone - 3) FROM trips
SELECT id, floor(distance), ceil(distance), round(distance, 1), round(fare, 1), floor(fare), ceil(fare) FROM trips
SELECT id, sqrt(distance), power(distance, 2), exp(zone), ln(zone + 1), log10(distance + 1) FROM trips
SELECT id, sin(distance), cos(distance), tan(distance), atan(distance), atan2(distance, zone) FROM trips
SELECT id, zone / 0, distance / 0 FROM trips WHERE zone > 0 AND distance > 0
SELECT id, upper(kind), lower(name) FROM trips JOIN zones ON trips.zone = zones.zone_id
SELECT id, kind || '-' || note FROM trips
SELECT id, concat(kind, '-', zone) FROM trips
SELECT id, substring(note, 2, 3), substring(note, 2), substring(note FROM 1 FOR 2), substring(note, -2), substring(note, 0, 2) FROM trips
SELECT id, char_length(note), length(note), strlen(note), position('a' IN note), strpos(note, 'a') FROM trips
SELECT id, trim(note), ltrim(note), rtrim(note), replace(note, 'a', '--'), reverse(note) FROM trips
SELECT id, lpad(kind, 6, '*'), rpad(kind, 6, '*'), left(note, 2), right(note, 2) FROM trips
SELECT id, starts_with(kind, 'd'), ends_with(kind, 't'), contains(kind, 'a') FROM trips
SELECT id, regexp_matches(note, '[0-9]+'), regexp_replace(note, '[aeiou]', '_', 'g') FROM trips
SELECT id, CASE WHEN zone < 3 THEN 'low' WHEN zone < 5 THEN 'mid' ELSE 'high' END FROM trips
SELECT id, CASE zone WHEN 1 THEN 'one' WHEN 2 THEN 'two' END FROM trips
SELECT id, CASE WHEN zone < 3 THEN 1 ELSE 2.5 END FROM trips
SELECT id, CASE WHEN zone < 3 THEN fare ELSE distance END FROM trips
SELECT id, CASE WHEN zone < 3 THEN fare END FROM trips
SELECT id, coalesce(fare, 0), coalesce(kind, 'none'), coalesce(zone, big, -1), ifnull(fare, 1.5) FROM trips
SELECT id, nullif(zone, 3), nullif(kind, 'day') FROM trips
SELECT id, greatest(zone, small), least(zone, small) FROM trips WHERE zone IS NOT NULL AND small IS NOT NULL
SELECT id, CAST(zone AS varchar), CAST(zone AS double), CAST(distance AS integer), CAST(fare AS integer), CAST(fare AS decimal(10, 1)) FROM trips
SELECT id, CAST(day AS varchar), CAST(day AS timestamp), CAST(started AS date), CAST('12' AS integer), CAST('2024-03-01' AS date) FROM trips
SELECT id, CAST(zone AS bigint) * 1000000000000, CAST(zone AS decimal(10, 2)), CAST(distance AS decimal(10, 2)) FROM trips
SELECT id, TRY_CAST(note AS integer), TRY_CAST(kind AS date) FROM trips
SELECT id, extract(year FROM day), extract(month FROM day), extract(day FROM day), extract(quarter FROM day), extract(doy FROM day) FROM trips
SELECT id, year(day), month(day), hour(started), minute(started), second(started), dayofweek(day) FROM trips
SELECT id, extract(hour FROM started), extract(dow FROM day), extract(isodow FROM day), extract(week FROM day) FROM trips
SELECT id, date_trunc('month', "day"), date_trunc('hour', started), date_part('year', day), last_day(day) FROM trips
SELECT id, date_diff('day', "day", date '2024-03-01'), date_diff('month', "day", date '2025-01-01'), date_diff('hour', started, timestamp '2024-03-01 00:00:00') FROM trips
SELECT id FROM trips WHERE day + interval '1' month > date '2024-02-15'
SELECT id FROM trips WHERE day - interval '10' day < date '2024-01-10'
SELECT id, started + interval '90' minute, started - interval '1' day, started + interval '2' hour FROM trips
SELECT id, isnan(distance), pow(zone, 2), log2(distance + 1) FROM trips
SELECT 1
SELECT 1 + 1 AS two, 'a' || 'b' AS ab, NULL AS nothing
SELECT 1.5 * 2, 10 / 4, 10.0 / 4, 7 % 3, -5 % 3
SELECT true AND NULL, false AND NULL, true OR NULL, NOT NULL
SELECT date '2024-01-31' + interval '1' month, date '2024-02-29' - interval '1' year
SELECT 'é' || '€😀', char_length('é€😀')
SELECT count(*) FROM trips
SELECT count(*), count(fare), count(kind), count(DISTINCT kind), count(DISTINCT zone) FROM trips
SELECT sum(zone), sum(fare), sum(distance), avg(zone), avg(fare), avg(distance) FROM trips
SELECT min(zone), max(zone), min(fare), max(fare), min(kind), max(kind), min(day), max(started), min(paid), max(paid) FROM trips
SELECT stddev(distance), variance(distance), stddev_samp(fare), var_samp(zone), stddev(fare) FROM trips
SELECT median(distance), bool_and(paid), bool_or(paid) FROM trips
SELECT count(*), sum(zone), avg(fare), min(kind), stddev(fare), count(fare) FROM trips WHERE id < 0
SELECT kind, count(*) FROM trips GROUP BY kind
SELECT kind, zone, count(*), sum(fare), avg(distance) FROM trips GROUP BY kind, zone
SELECT zone, stddev(fare), variance(distance) FROM trips GROUP BY zone
SELECT zone % 2, count(*) FROM trips GROUP BY zone % 2
SELECT zone % 2 AS odd, count(*) FROM trips GROUP BY odd
SELECT upper(kind) AS k, count(*) AS n FROM trips GROUP BY 1
SELECT year(day) AS y, month(day) AS m, sum(fare) FROM trips GROUP BY year(day), month(day)
SELECT kind, count(*) AS n FROM trips GROUP BY kind HAVING count(*) > 40
SELECT kind, sum(fare) FROM trips GROUP BY kind HAVING avg(distance) > 5 AND kind IS NOT NULL
SELECT kind, sum(fare) / count(*) AS mean, max(distance) - min(distance) FROM trips GROUP BY kind
SELECT count(*) FILTER (WHERE zone = 1), sum(fare) FILTER (WHERE paid), count(fare) FILTER (WHERE zone > 2) FROM trips
SELECT kind, count(DISTINCT zone) FILTER (WHERE paid), count(*) FILTER (WHERE fare > 20) FROM trips GROUP BY kind
SELECT sum(CASE WHEN paid THEN 1 ELSE 0 END), sum(CASE WHEN paid THEN fare ELSE 0 END) FROM trips
SELECT kind, zone, count(*) FROM trips GROUP BY ROLLUP (kind, zone)
SELECT kind, paid, sum(fare) FROM trips GROUP BY CUBE (kind, paid)
SELECT kind, zone, sum(fare), grouping(kind), grouping(zone) FROM trips GROUP BY GROUPING SETS ((kind), (zone), ())
SELECT DISTINCT kind FROM trips
SELECT DISTINCT kind, zone FROM trips
SELECT DISTINCT zone % 2 FROM trips WHERE zone IS NOT NULL
SELECT count(*) FROM (SELECT DISTINCT kind, paid FROM trips)
SELECT id FROM trips ORDER BY id
SELECT id, fare FROM trips ORDER BY fare, id
SELECT id, fare FROM trips ORDER BY fare DESC, id
SELECT id, fare FROM trips ORDER BY fare NULLS FIRST, id DESC
SELECT id, fare FROM trips ORDER BY fare DESC NULLS FIRST, id
SELECT id, kind FROM trips ORDER BY kind DESC NULLS LAST, id
SELECT id FROM trips ORDER BY zone % 3, id
SELECT id, zone * 2 AS d FROM trips ORDER BY d DESC, 1
SELECT fare FROM trips ORDER BY id
SELECT id FROM trips ORDER BY id LIMIT 5
SELECT id FROM trips ORDER BY id LIMIT 5 OFFSET 10
SELECT id FROM trips ORDER BY id DESC OFFSET 190
SELECT id FROM trips ORDER BY id OFFSET 3 ROWS FETCH NEXT 2 ROWS ONLY
SELECT id FROM trips ORDER BY id LIMIT 0
SELECT count(*) FROM (SELECT id FROM trips LIMIT 7) AS few
SELECT kind, count(*) AS n FROM trips GROUP BY kind ORDER BY n DESC, kind LIMIT 2
SELECT kind FROM trips GROUP BY kind ORDER BY count(*), kind
SELECT t.id, z.name FROM trips t JOIN zones z ON t.zone = z.zone_id
SELECT t.id, z.name FROM trips t, zones z WHERE t.zone = z.zone_id
SELECT t.id, z.name FROM trips t LEFT JOIN zones z ON t.zone = z.zone_id
SELECT t.id, z.name FROM trips t RIGHT JOIN zones z ON t.zone = z.zone_id
SELECT t.id, z.name FROM trips t FULL JOIN zones z ON t.zone = z.zone_id
SELECT t.id, z.name FROM trips t FULL OUTER JOIN zones z ON t.zone = z.zone_id AND z.borough = 'east'
SELECT t.id, z.name FROM trips t LEFT JOIN zones z ON t.zone = z.zone_id AND z.borough = 'east'
SELECT t.id, z.name FROM trips t LEFT JOIN zones z ON t.zone = z.zone_id AND t.fare > 20
SELECT t.id, z.name FROM trips t LEFT JOIN zones z ON t.zone = z.zone_id AND t.fare > z.zone_id * 5
SELECT t.id, z.name FROM trips t RIGHT JOIN zones z ON t.zone = z.zone_id AND t.fare > z.zone_id * 5
SELECT t.id, z.name FROM trips t FULL JOIN zones z ON t.zone = z.zone_id AND t.fare > z.zone_id * 10
SELECT t.id, z.name FROM trips t JOIN zones z ON t.zone < z.zone_id WHERE t.id < 20
SELECT t.id, z.name FROM trips t LEFT JOIN zones z ON t.zone < z.zone_id WHERE t.id < 20
SELECT t.id, z.name FROM trips t CROSS JOIN zones z WHERE t.id < 5
SELECT t.id, z.name FROM trips t JOIN zones z ON t.zone + 1 = z.zone_id
SELECT t.id, z.name FROM trips t JOIN zones z ON t.zone = z.zone_id AND t.kind || 'x' = z.borough || 'x'
SELECT a.id, b.id AS other FROM trips a JOIN trips b ON a.zone = b.zone AND a.id < b.id WHERE a.id < 10
SELECT a.id, b.id AS other FROM trips a JOIN trips b ON a.kind IS NOT DISTINCT FROM b.kind WHERE a.id < 5 AND b.id < 20
SELECT name, count(*), sum(fare) FROM trips JOIN zones ON zone = zone_id GROUP BY name
SELECT z.borough, k.label, sum(t.fare) FROM trips t JOIN zones z ON t.zone = z.zone_id JOIN kinds k ON t.kind = k.kind GROUP BY z.borough, k.label
SELECT z.borough, k.label, count(t.id) FROM zones z LEFT JOIN trips t ON t.zone = z.zone_id LEFT JOIN kinds k ON t.kind = k.kind GROUP BY z.borough, k.label
SELECT * FROM kinds JOIN trips USING (kind) WHERE id < 10
SELECT count(*) FROM trips NATURAL JOIN kinds
SELECT id FROM trips WHERE zone IN (SELECT zone_id FROM zones WHERE borough = 'east')
SELECT id FROM trips WHERE zone NOT IN (SELECT zone_id FROM zones WHERE borough = 'east')
SELECT id FROM trips WHERE kind IN (SELECT kind FROM kinds)
SELECT id FROM trips WHERE kind NOT IN (SELECT kind FROM kinds WHERE kind IS NOT NULL)
SELECT id FROM trips WHERE kind NOT IN (SELECT kind FROM kinds)
SELECT id FROM trips WHERE (zone, kind) IN (SELECT zone_id, borough FROM zones)
SELECT id FROM trips t WHERE EXISTS (SELECT 1 FROM zones z WHERE z.zone_id = t.zone)
SELECT id FROM trips t WHERE NOT EXISTS (SELECT 1 FROM zones z WHERE z.zone_id = t.zone)
SELECT id FROM trips t WHERE EXISTS (SELECT 1 FROM trips u WHERE u.zone = t.zone AND u.fare > t.fare)
SELECT id FROM trips t WHERE NOT EXISTS (SELECT 1 FROM trips u WHERE u.zone = t.zone AND u.id > t.id)
SELECT id FROM trips WHERE EXISTS (SELECT 1 FROM zones WHERE borough = 'nowhere')
SELECT id FROM trips WHERE fare > (SELECT avg(fare) FROM trips)
SELECT id FROM trips t WHERE fare > (SELECT avg(fare) FROM trips u WHERE u.zone = t.zone)
SELECT id, (SELECT count(*) FROM zones) FROM trips WHERE id < 5
SELECT id, (SELECT name FROM zones z WHERE z.zone_id = t.zone) FROM trips t
SELECT id, (SELECT count(*) FROM trips u WHERE u.zone = t.zone) AS same FROM trips t
SELECT id, fare - (SELECT avg(fare) FROM trips u WHERE u.kind = t.kind) AS above FROM trips t
SELECT id, fare > ALL (SELECT fare FROM trips u WHERE u.zone = 1 AND u.fare IS NOT NULL) FROM trips WHERE fare IS NOT NULL
SELECT id FROM trips WHERE fare >= ALL (SELECT fare FROM trips WHERE fare IS NOT NULL)
SELECT id FROM trips WHERE fare < ANY (SELECT fare FROM trips WHERE zone = 2)
SELECT zone, n FROM (SELECT zone, count(*) AS n FROM trips GROUP BY zone) AS g WHERE n > 20
SELECT max(n) FROM (SELECT count(*) AS n FROM trips GROUP BY zone) AS g
WITH g AS (SELECT zone, sum(fare) AS total FROM trips GROUP BY zone) SELECT * FROM g WHERE total > 100
WITH a AS (SELECT id, zone FROM trips WHERE id < 50), b AS (SELECT zone, count(*) AS n FROM a GROUP BY zone) SELECT a.id, b.n FROM a JOIN b ON a.zone = b.zone
WITH g AS (SELECT zone, sum(fare) AS total FROM trips GROUP BY zone) SELECT zone FROM g WHERE total = (SELECT max(total) FROM g)
SELECT id FROM trips WHERE zone = 1 UNION ALL SELECT id FROM trips WHERE zone = 2
SELECT zone FROM trips UNION SELECT zone_id FROM zones
SELECT zone, fare FROM trips UNION ALL SELECT zone_id, 1 FROM zones
SELECT kind FROM trips UNION SELECT borough FROM zones UNION SELECT kind FROM kinds
SELECT zone FROM trips INTERSECT SELECT zone_id FROM zones
SELECT zone FROM trips EXCEPT SELECT zone_id FROM zones
SELECT kind FROM trips EXCEPT SELECT kind FROM kinds
SELECT kind, zone FROM trips INTERSECT SELECT borough, zone_id FROM zones
SELECT id FROM trips WHERE id < 3 UNION ALL SELECT id FROM trips WHERE id > 197 ORDER BY id DESC
SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, NULL)) AS v (n, s)
SELECT v.n, count(t.id) FROM (VALUES (1), (2), (9)) AS v (n) LEFT JOIN trips t ON t.zone = v.n GROUP BY v.n
SELECT ID, Fare FROM TRIPS WHERE "kind" = 'day'
SELECT "id" AS "The Id" FROM trips WHERE id < 3
SELECT t.*, z.name FROM trips t JOIN zones z ON t.zone = z.zone_id WHERE t.id < 10
SELECT zone, sum(fare) AS total, count(*) FROM trips WHERE kind = 'day' AND day > date '2024-01-10' GROUP BY zone HAVING count(*) > 2 ORDER BY total DESC LIMIT 3
SELECT id FROM trips WHERE zone = 1 AND zone = 2
SELECT id FROM trips WHERE 1 = 0
SELECT sum(fare) FROM trips WHERE 1 = 0
SELECT id FROM trips WHERE zone > 3 AND (kind = 'day' OR paid) AND NOT (fare < 10)
SELECT id FROM trips WHERE coalesce(zone, 0) = 0 OR fare IS NULL
SELECT a.zone, a.n, b.n FROM (SELECT zone, count(*) AS n FROM trips WHERE paid GROUP BY zone) a FULL JOIN (SELECT zone, count(*) AS n FROM trips WHERE NOT paid GROUP BY zone) b ON a.zone = b.zone
SELECT big, count(*) FROM trips GROUP BY big HAVING max(small) > 2
SELECT any_value(borough) FROM zones WHERE borough = 'east'
SELECT stddev_pop(distance), var_pop(fare) FROM trips
SELECT id, row_number() OVER (ORDER BY id DESC) FROM trips
SELECT id, row_number() OVER (PARTITION BY zone ORDER BY fare, id), rank() OVER (PARTITION BY zone ORDER BY small), dense_rank() OVER (PARTITION BY zone ORDER BY small) FROM trips
SELECT id, sum(fare) OVER (PARTITION BY kind), avg(distance) OVER (PARTITION BY kind), count(*) OVER (PARTITION BY kind), count(fare) OVER () FROM trips
SELECT id, sum(fare) OVER (PARTITION BY zone ORDER BY id), max(fare) OVER (PARTITION BY zone ORDER BY id), min(distance) OVER (ORDER BY id) FROM trips
SELECT id, sum(small) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND CURRENT ROW), avg(distance) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING) FROM trips
SELECT id, lag(fare) OVER (ORDER BY id), lead(fare, 2) OVER (ORDER BY id), lag(zone, 1, -1) OVER (PARTITION BY kind ORDER BY id) FROM trips
SELECT id, first_value(fare) OVER (PARTITION BY zone ORDER BY id), last_value(fare) OVER (PARTITION BY zone ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM trips
SELECT id, ntile(4) OVER (ORDER BY id), percent_rank() OVER (ORDER BY small), cume_dist() OVER (ORDER BY small) FROM trips
SELECT id, fare / sum(fare) OVER (PARTITION BY zone) AS part FROM trips WHERE fare > 0
SELECT id, zone FROM (SELECT id, zone, row_number() OVER (PARTITION BY zone ORDER BY distance DESC, id) AS n FROM trips WHERE distance IS NOT NULL) AS r WHERE n <= 2
SELECT zone, sum(fare), rank() OVER (ORDER BY sum(fare) DESC) FROM trips WHERE zone IS NOT NULL GROUP BY zone
SELECT id FROM trips WHERE distance IS NOT NULL QUALIFY row_number() OVER (PARTITION BY zone ORDER BY distance, id) = 1
SELECT id, sum(fare) OVER w, count(*) OVER w FROM trips WINDOW w AS (PARTITION BY zone ORDER BY small)
SELECT sum(DISTINCT zone), avg(DISTINCT zone), count(DISTINCT zone), count(*), sum(zone) FROM trips
SELECT kind, sum(DISTINCT zone), avg(DISTINCT fare), count(DISTINCT zone), count(*), sum(fare) FROM trips GROUP BY kind
SELECT kind, sum(DISTINCT fare) FILTER (WHERE paid), sum(DISTINCT fare), min(DISTINCT fare) FROM trips GROUP BY kind
SELECT kind, stddev(DISTINCT zone), median(DISTINCT distance) FROM trips GROUP BY kind
SELECT sum(DISTINCT zone) FROM trips WHERE id < 0
SELECT kind, paid, sum(DISTINCT zone), count(*) FROM trips GROUP BY ROLLUP (kind, paid)
SELECT zone FROM trips INTERSECT ALL SELECT zone_id FROM zones
SELECT kind FROM trips INTERSECT ALL SELECT kind FROM trips WHERE id < 40
SELECT kind FROM trips EXCEPT ALL SELECT kind FROM trips WHERE id < 40
SELECT kind, zone FROM trips EXCEPT ALL SELECT kind, zone FROM trips WHERE id < 90 EXCEPT ALL SELECT kind, zone FROM trips WHERE id > 150
SELECT zone FROM trips EXCEPT ALL SELECT zone_id FROM zones
SELECT small FROM trips INTERSECT ALL SELECT zone FROM trips INTERSECT ALL SELECT zone_id FROM zones
SELECT id, sum(fare) OVER (ORDER BY id RANGE BETWEEN 3 PRECEDING AND CURRENT ROW) FROM trips
SELECT id, sum(fare) OVER (ORDER BY small RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING) FROM trips
SELECT id, sum(fare) OVER (PARTITION BY kind ORDER BY small DESC RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING) FROM trips
SELECT id, count(*) OVER (PARTITION BY kind ORDER BY day RANGE BETWEEN INTERVAL '3' DAY PRECEDING AND CURRENT ROW) FROM trips
SELECT id, max(fare) OVER (ORDER BY started RANGE BETWEEN INTERVAL '2' DAY PRECEDING AND INTERVAL '5' HOUR FOLLOWING) FROM trips
SELECT id, count(*) OVER (ORDER BY day RANGE BETWEEN INTERVAL '1' MONTH PRECEDING AND CURRENT ROW) FROM trips
SELECT id, avg(fare) OVER (ORDER BY distance RANGE BETWEEN 0.5 PRECEDING AND 0.5 FOLLOWING) FROM trips
SELECT id, first_value(id) OVER (ORDER BY fare, id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM trips
SELECT id, sum(small) OVER (ORDER BY fare RANGE BETWEEN UNBOUNDED PRECEDING AND 1.5 FOLLOWING) FROM trips
SELECT count(*) FROM trips GROUP BY 0.25
SELECT count(*) FROM trips GROUP BY 'x'
SELECT 'x', count(*) FROM trips GROUP BY 'x'
SELECT kind, count(*) FROM trips GROUP BY kind, 0.25
SELECT kind, count(*) FROM trips GROUP BY kind, NULL
SELECT count(*) FROM trips GROUP BY true
SELECT 2.5 AS k, count(*) FROM trips GROUP BY 2.5
SELECT count(*) FROM trips GROUP BY ()
SELECT kind, sum(fare) FILTER (WHERE zone > 2), avg(fare) FILTER (WHERE paid), min(id) FILTER (WHERE id > 100), stddev(fare) FILTER (WHERE small > 3) FROM trips GROUP BY kind
SELECT kind, zone, paid, count(*), grouping(kind, zone) FROM trips GROUP BY GROUPING SETS ((kind, zone), (paid), ())
SELECT kind, zone, count(*) FROM trips GROUP BY ROLLUP (kind, zone), paid
SELECT kind, zone, count(*), grouping_id(kind, zone) FROM trips GROUP BY CUBE (kind, zone)
SELECT kind, count(*) FROM trips GROUP BY GROUPING SETS ((kind), (kind), ())
SELECT kind, count(*) FROM trips WHERE id < 0 GROUP BY ROLLUP (kind)
SELECT kind, count(*) FROM trips GROUP BY ROLLUP (kind) HAVING grouping(kind) = 0
SELECT id, (SELECT max(fare) FROM trips u WHERE u.zone = t.zone AND u.id < t.id) FROM trips t
SELECT id, (SELECT z.name FROM zones z WHERE z.zone_id <= t.zone ORDER BY z.zone_id DESC LIMIT 1) FROM trips t
SELECT id, (SELECT count(*) FROM trips u WHERE u.fare < t.fare) FROM trips t WHERE id < 30
SELECT id FROM trips t WHERE EXISTS (SELECT 1 FROM zones z WHERE z.zone_id = t.zone AND EXISTS (SELECT 1 FROM kinds k WHERE k.kind = t.kind))
SELECT id, t.zone IN (SELECT zone_id FROM zones) FROM trips t
SELECT id, EXISTS (SELECT 1 FROM zones z WHERE z.zone_id = t.zone) FROM trips t
SELECT t.id, x.name FROM trips t, LATERAL (SELECT name FROM zones z WHERE z.zone_id = t.zone) AS x
SELECT t.id, x.name FROM trips t LEFT JOIN LATERAL (SELECT name FROM zones z WHERE z.zone_id = t.zone) AS x ON true
SELECT z.name, x.id FROM zones z, LATERAL (SELECT id FROM trips t WHERE t.zone = z.zone_id ORDER BY t.fare DESC, t.id LIMIT 2) AS x
SELECT z.name, x.id FROM zones z LEFT JOIN LATERAL (SELECT id FROM trips t WHERE t.zone = z.zone_id ORDER BY t.fare DESC, t.id LIMIT 1) AS x ON true
SELECT t.id, x.s FROM trips t, LATERAL (SELECT sum(fare) AS s FROM trips u WHERE u.zone = t.zone) AS x
SELECT * FROM UNNEST(ARRAY[1, 2, 3]) AS u (n)
SELECT t.id, u.n FROM trips t, UNNEST(ARRAY[t.zone, t.small]) AS u (n) WHERE t.id < 10
SELECT kind, u.n FROM (SELECT kind, list(zone) AS l FROM trips GROUP BY kind) AS g, UNNEST(g.l) AS u (n)
SELECT kind, u.n FROM (SELECT kind, list(zone) AS l FROM trips GROUP BY kind) AS g CROSS JOIN UNNEST(g.l) AS u (n)
SELECT kind, u.n FROM (SELECT kind, list(zone) AS l FROM trips GROUP BY kind) AS g LEFT JOIN UNNEST(g.l) AS u (n) ON true
SELECT sum(zone) OVER (PARTITION BY kind ORDER BY id) FROM trips WHERE day > '2024-01-20'
SELECT zone % 2, count(*) FROM trips WHERE day > '2024-01-20' GROUP BY zone % 2
SELECT id, count(DISTINCT small) OVER (PARTITION BY kind) FROM trips
SELECT id, stddev(fare) OVER (PARTITION BY kind) FROM trips
SELECT t.id, x.n FROM trips t, LATERAL (SELECT count(*) AS n FROM trips u WHERE u.zone = t.zone) AS x
SELECT t.id, x.n, x.m FROM trips t LEFT JOIN LATERAL (SELECT count(*) AS n, max(fare) AS m FROM trips u WHERE u.zone = t.zone AND u.id < t.id) AS x ON true
SELECT t.id, u.n FROM trips t, UNNEST(ARRAY[t.zone, t.small]) AS u (n) WHERE u.n > t.id AND t.id < 10
SELECT kind, sum(u.n) FROM (SELECT kind, list(zone) AS l FROM trips GROUP BY kind) AS g, UNNEST(g.l) AS u (n) GROUP BY kind
SELECT sum(DISTINCT fare), sum(DISTINCT small), count(DISTINCT kind), avg(fare) FROM trips
SELECT kind, zone, sum(DISTINCT small), avg(DISTINCT small) FILTER (WHERE paid), count(*) FILTER (WHERE paid) FROM trips GROUP BY kind, zone
SELECT paid, sum(DISTINCT fare) FROM trips GROUP BY paid HAVING sum(DISTINCT zone) > 3
SELECT zone, sum(DISTINCT zone), sum(DISTINCT zone) FILTER (WHERE paid) FROM trips GROUP BY zone
SELECT id, sum(fare) OVER (ORDER BY id RANGE BETWEEN 5 PRECEDING AND 2 PRECEDING) FROM trips
SELECT id, min(fare) OVER (PARTITION BY zone ORDER BY distance DESC RANGE BETWEEN 1.5 PRECEDING AND 0.25 FOLLOWING), max(note) OVER (PARTITION BY zone ORDER BY distance DESC RANGE BETWEEN 1.5 PRECEDING AND 0.25 FOLLOWING) FROM trips
SELECT id, sum(small) OVER (ORDER BY fare DESC RANGE BETWEEN 2.5 PRECEDING AND UNBOUNDED FOLLOWING) FROM trips
SELECT id, count(*) OVER (ORDER BY day DESC RANGE BETWEEN INTERVAL '10' DAY PRECEDING AND INTERVAL '1' MONTH FOLLOWING) FROM trips
SELECT 0.25 AS k, count(*) FROM trips WHERE id < 0 GROUP BY 0.25
SELECT year(day) AS y, count(*) FROM trips WHERE day > '2024-01-20' GROUP BY year(day)
SELECT kind, zone FROM trips INTERSECT ALL SELECT kind, zone FROM trips WHERE paid
SELECT kind, count(*) FROM (SELECT kind FROM trips EXCEPT ALL SELECT kind FROM trips WHERE paid) AS d GROUP BY kind
SELECT kind, sum(coalesce(zone, 2.5)) FILTER (WHERE paid), count(DISTINCT zone) FILTER (WHERE paid), count(*) FILTER (WHERE zone = 1) FROM trips GROUP BY kind
SELECT id, sum(fare) FILTER (WHERE paid) OVER (PARTITION BY kind ORDER BY id), count(*) FILTER (WHERE paid) OVER (PARTITION BY kind) FROM trips
SELECT id, id // 4, -id // 4, zone // 2 * 2, id * small // 3, 10 - id // 3 FROM trips
SELECT id, fare // 2, distance // 3 FROM trips
SELECT id /* a // b */, 'a // b', id // 2 FROM trips -- x // y
SELECT id, id // 7 AS seventh FROM trips WHERE id // 7 = 3
SELECT id, id / zone, fare / zone FROM trips
SELECT id, greatest(zone, small), least(zone, small, 3), greatest(kind, note), least(day, date '2024-01-20') FROM trips
SELECT greatest(1, NULL), least(NULL, 2.5), greatest('a', NULL, 'b'), greatest(1, 2.5)
SELECT id, CAST(started AS varchar), CAST(day AS varchar), CAST(distance AS varchar), CAST(fare AS varchar), CAST(paid AS varchar), CAST(CAST(distance AS real) AS varchar), CAST(big AS varchar) FROM trips
SELECT CAST(1e7 AS varchar), CAST(1e20 AS varchar), CAST(1.5e-7 AS varchar), CAST(CAST(123456789 AS real) AS varchar), CAST(0.1e0 AS varchar), CAST(1e15 AS varchar), CAST(1e16 AS varchar), CAST(1e17 AS varchar), CAST(0.0001e0 AS varchar), CAST(1.1e-5 AS varchar), CAST(9007199254740993e0 AS varchar)
SELECT CAST(timestamp '2024-01-01 00:00:00.5' AS varchar), CAST(timestamp '2024-01-01 00:00:00.123456' AS varchar), CAST(time '12:30:00' AS varchar)
SELECT id FROM trips WHERE CAST(started AS varchar) LIKE '2024-01-0% 06:3%'
SELECT id FROM trips WHERE CAST(distance * 10000000 AS varchar) LIKE '%.0'
SELECT id, 'n' || zone, zone || '', fare || 'x', distance || 'd', day || '', started || '', paid || '' FROM trips
SELECT id, concat(started, '|', distance, '|', paid), concat_ws('-', kind, note, zone, started), concat_ws(NULL, 'a') FROM trips
SELECT CAST('2.5' AS integer), CAST(' 12 ' AS integer), CAST('1e3' AS integer), TRY_CAST('x' AS integer), TRY_CAST('99999999999.5' AS integer)
SELECT id, TRY_CAST(fare || '' AS integer) FROM trips
SELECT sum(fare) AS value FROM trips ORDER BY value
SELECT id AS value, fare AS year, zone AS "day", kind AS row FROM trips ORDER BY value
SELECT id AS position, zone AS rank, small AS number, kind AS type FROM trips ORDER BY position
SELECT t.value, t.year FROM (SELECT id AS value, zone AS year FROM trips) t WHERE t.value > 3 AND year = 2
SELECT value FROM (SELECT id FROM trips) t (value)
SELECT id value FROM trips
WITH t (value, year) AS (SELECT id, zone FROM trips) SELECT max(value) FROM t GROUP BY year
SELECT CAST(paid AS integer), CAST(paid AS bigint), CAST(paid AS double), CAST(paid AS decimal(5, 2)), CAST(zone AS boolean) FROM trips
SELECT sum(CAST(paid AS integer)) FROM trips WHERE CAST(paid AS integer) = 1
SELECT id, day + 1, day - 3, 2 + day, day + zone, day - small FROM trips
SELECT id, day - date '2024-01-01', date '2024-03-01' - day FROM trips
SELECT id FROM trips WHERE day > date '2024-01-01' + 40;
SELECT id FROM trips ; -- the end
SELECT id, regexp_replace(note, '[aeiou]', '_'), regexp_replace(note, '[AEIOU]', '_', 'gi'), regexp_replace(note, '(l)(p)', '\2\1') FROM trips
SELECT id, regexp_extract(note, '[a-z]+'), regexp_extract(note, '([a-z])([a-z])?', 2), regexp_extract(kind, '([a-z])', 1), regexp_extract(note, '(a)', 5) FROM trips
SELECT id, regexp_matches(note, 'A', 'i'), regexp_full_match(note, '[a-z]*'), regexp_matches(note, '0%', 'l') FROM trips
SELECT id, md5(note), md5(kind) FROM trips
SELECT corr(distance, fare), covar_pop(distance, fare), covar_samp(distance, fare) FROM trips
SELECT kind, corr(distance, zone), corr(distance, fare) FILTER (WHERE zone > 2), covar_samp(zone, id) FROM trips GROUP BY kind
SELECT corr(zone, small), covar_pop(zone, small), covar_samp(zone, small) FROM trips WHERE id < 0
SELECT corr(1000000000 + distance, 1000000000 - distance) FROM trips
SELECT id, day(day), month(started), year(day), hour(started), minute(started), second(started), quarter(day), week(day), dayofyear(day), dayofmonth(day), weekday(day), epoch(started), epoch_ms(started) FROM trips
SELECT id, monthname(day), dayname(day), extract(epoch FROM started), datediff('day', day, date '2024-03-01') FROM trips
SELECT id, trunc(distance), trunc(-distance), trunc(fare), trunc(zone), trunc(distance, 1), trunc(fare, 1), trunc(id, -1) FROM trips
SELECT id, trim(note, 'a'), ltrim(note, 'ta'), rtrim(note, 'a%'), trim(BOTH 'a' FROM note), trim(LEADING 'a' FROM note), trim(note, substring(note, 1, 1)), trim('éaé', 'é') FROM trips
SELECT id, repeat(note, 3), repeat(note, small), repeat(kind, -1) FROM trips
SELECT id, split_part(note, 'a', 1), split_part(note, 'a', -1), left(note, -1), right(note, -1), instr(note, 'a'), log(2, id + 1) FROM trips
SELECT now() IS NOT NULL, random() < 1, today() > date '2024-01-01'
SELECT count(*) FROM trips WHERE random() BETWEEN 0 AND 1
SELECT count(DISTINCT r) > 190 FROM (SELECT random() AS r FROM trips) AS t
SELECT id, if(zone > 2, 'a', 'b'), if(zone > 2, 1, 2.5) FROM trips
SELECT count() FROM trips
SELECT id, note::varchar, (id + 1)::varchar, abs(zone)::double, t.id::bigint, '5'::integer + 1, date '2024-01-01'::timestamp, CASE WHEN id > 1 THEN 1 END::varchar, fare::decimal(10, 1)::varchar FROM trips t
SELECT id FROM trips WHERE started::date = date '2024-01-02'
SELECT started + INTERVAL 3 DAY, started - INTERVAL '3 days', started + INTERVAL 5 MINUTES, day + INTERVAL 1 MONTH FROM trips
SELECT id, sum(fare) OVER (PARTITION BY zone, zone ORDER BY id, id) FROM trips
SELECT id, rank() OVER (ORDER BY zone, zone DESC, small, zone), row_number() OVER (PARTITION BY kind, zone, kind ORDER BY small DESC, small, id) FROM trips
SELECT id, rank() OVER (ORDER BY zone DESC NULLS FIRST, zone, kind NULLS FIRST, kind) FROM trips
SELECT t.id, z.name FROM trips t LEFT JOIN zones z ON t.zone = z.zone_id AND t.small = z.zone_id
SELECT t.id, z.name FROM trips t FULL JOIN zones z ON t.zone = z.zone_id AND t.small = z.zone_id
SELECT t.id, z.name FROM trips t RIGHT JOIN zones z ON t.zone = z.zone_id AND t.zone = z.zone_id AND t.small = z.zone_id
SELECT t.id, u.id FROM trips t LEFT JOIN trips u ON t.zone = u.zone AND t.zone = u.small AND t.id < 20
SELECT id FROM visits WHERE seen > '2024-01-02'
SELECT id FROM visits WHERE seen > '2024-01-02 00:00:00+01'
SELECT id FROM visits WHERE seen > '2024-01-02T00:00:00Z'
SELECT id FROM visits WHERE seen >= date '2024-01-02'
SELECT id FROM visits WHERE seen >= timestamp '2024-01-02 01:30:00'
SELECT id FROM visits WHERE seen = timestamp '2024-01-02 01:30:00'
SELECT id FROM visits WHERE seen IN ('2024-01-02 01:30:00', '2024-01-02 04:30:00')
SELECT id FROM visits WHERE seen BETWEEN '2024-01-02' AND '2024-01-02 04:30:00'
SELECT id, seen > noted, noted < seen, seen > day, seen IS DISTINCT FROM noted FROM visits
SELECT id FROM visits WHERE seen > TIMESTAMP WITH TIME ZONE '2024-01-02 00:00:00+01:00'
SELECT id FROM visits WHERE seen > timestamptz '2024-01-02 00:00:00+01:00'
SELECT id, CAST(seen AS varchar), CAST(seen AS date), CAST(noted AS varchar), CAST(noted AS timestamptz) = seen, year(seen), hour(seen) FROM visits
SELECT id, seen, max(seen) OVER (), coalesce(seen, timestamp '2024-01-01 00:00:00') > '2024-01-02' FROM visits
SELECT count(*), min(seen), max(seen), count(DISTINCT seen) FROM visits WHERE seen < now()
SELECT a.id, b.id FROM visits a LEFT JOIN visits b ON a.seen = b.seen AND a.id > b.id
SELECT seen FROM visits EXCEPT ALL SELECT seen FROM visits WHERE id > 2
SELECT CAST(CAST(seen AS varchar) AS timestamptz) = seen FROM visits
SELECT id, scores['a'], scores['b'], scores['c'] FROM visits WHERE scores['a'] > 1
SELECT id, places[1], places[2], places[-1], places[3], places[0], [1, 2, 3][2] FROM visits
SELECT id, doc -> 'user', doc -> 'user' -> 'tags' -> 0, doc -> 'user' ->> 'name', doc ->> '$.user.tags[1]', doc -> 'n', doc -> 'none' FROM visits
SELECT id, json_extract(doc, '$.user.name'), json_extract_string(doc, '$.user.name'), json_extract(doc, '/user/tags/1'), json_extract_string(doc, '$.user.tags[-1]'), json_extract(doc, '$.user.tags[2]'), json_extract(doc, '$') FROM visits
SELECT doc ->> 'n' || '!', count(*) FROM visits GROUP BY 1
SELECT t.id, z.name FROM trips t LEFT JOIN zones z ON t.zone = z.zone_id AND t.zone = z.zone_id * 1
SELECT t.id, u.id AS other FROM trips t LEFT JOIN trips u ON t.zone = u.zone AND t.zone = u.small WHERE t.id < 40
SELECT t.id, u.id AS other FROM trips t FULL JOIN trips u ON t.zone = u.zone AND t.zone = u.small AND t.id = u.id
SELECT t.id, u.id AS other FROM trips t JOIN trips u ON t.zone = u.zone AND t.id = u.zone AND t.id = u.id
SELECT a.zone, a.n, b.zone AS other, b.n AS m FROM (SELECT t.zone, z.name AS n FROM trips t, zones z WHERE t.zone = z.zone_id AND t.id < 30) a, (SELECT zone, count(*) AS n FROM trips GROUP BY zone) b, zones z WHERE a.zone = z.zone_id AND b.n > (SELECT avg(n) FROM (SELECT zone, count(*) AS n FROM trips GROUP BY zone) c WHERE c.zone = a.zone) / 2
SELECT t.id, z.name, k.label FROM trips t LEFT JOIN kinds k ON t.kind = k.kind, zones z WHERE t.zone = z.zone_id AND (k.label IS NULL OR k.label <> 'by day')
SELECT z.name, t.id, k.label FROM zones z LEFT JOIN trips t ON t.zone = z.zone_id AND t.id < 60 LEFT JOIN kinds k ON k.kind = t.kind JOIN zones y ON y.zone_id = z.zone_id WHERE coalesce(k.label, '-') <> 'by night'
SELECT t.id, z.name FROM trips t, zones z, kinds k WHERE t.kind = k.kind AND ((t.zone = z.zone_id AND z.borough = 'east' AND t.fare > 10) OR (t.zone = z.zone_id AND z.borough = 'west' AND t.fare < 30))
SELECT count(*) FROM trips t, zones z, kinds k WHERE (z.borough = 'east' AND k.label = 'by day' AND t.small = 1) OR (z.borough = 'west' AND k.label = 'unknown' AND t.small = 2)
SELECT t.id, u.id AS other, z.name FROM trips t, trips u, zones z WHERE t.zone = u.zone AND u.zone = z.zone_id AND z.zone_id = 3 AND t.id < u.id AND u.id < 60
SELECT t.id FROM trips t LEFT JOIN zones z ON t.zone = z.zone_id WHERE 1 = 0
SELECT t.id, z.name FROM trips t LEFT JOIN zones z ON 1 = 1 WHERE t.id < 3
SELECT kind, zone, avg(fare), avg(distance), avg(big), avg(zone), count(fare), count(kind, zone), min(note), max(started), sum(zone) FROM trips GROUP BY ROLLUP (kind, zone)
SELECT kind, paid, sum(fare) FILTER (WHERE zone > 2), avg(big) FILTER (WHERE paid), count(*) FILTER (WHERE zone = 1), bool_and(paid), bool_or(paid), sum(zone) FROM trips GROUP BY CUBE (kind, paid)
SELECT kind, zone, sum(zone), grouping(kind), grouping(zone), grouping(kind, zone) FROM trips GROUP BY GROUPING SETS ((kind, zone), (zone), (kind), ())
SELECT kind, zone, sum(fare), avg(fare), min(zone), count(zone), count(*) FROM trips WHERE id < 0 GROUP BY ROLLUP (kind, zone)
SELECT kind, zone, sum(fare) FROM trips WHERE id < 0 GROUP BY GROUPING SETS ((kind, zone), (kind))
SELECT kind, zone FROM trips GROUP BY ROLLUP (kind, zone)
SELECT kind, zone, count(DISTINCT small), median(fare), stddev(distance) FROM trips GROUP BY ROLLUP (kind, zone)
SELECT z.borough, z.name, avg(t.fare), rank() OVER (PARTITION BY grouping(z.name) ORDER BY sum(t.fare) DESC) FROM trips t JOIN zones z ON t.zone = z.zone_id GROUP BY ROLLUP (z.borough, z.name)
