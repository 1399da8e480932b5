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
SELECT median(fare), count(DISTINCT kind), max(zone), median(distance), count(*) FROM trips
SELECT median(fare) FILTER (WHERE zone > 3), count(DISTINCT zone) FILTER (WHERE paid), count(*) FROM trips
SELECT u.n, g.m FROM (SELECT list(zone) AS l, median(fare) AS m, count(*) AS c FROM trips) AS g, UNNEST(g.l) AS u (n)
SELECT median(fare), list(zone), count(DISTINCT kind), count(*) FROM trips WHERE zone < -1
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
SELECT kind, zone, avg(fare), avg(distance), avg(big), avg(zone), count(fare), min(note), max(started), sum(zone) FROM trips GROUP BY ROLLUP (kind, zone)
SELECT kind, paid, sum(fare) FILTER (WHERE zone > 2), avg(big) FILTER (WHERE paid), count(*) FILTER (WHERE zone = 1), bool_and(paid), bool_or(paid), sum(zone) FROM trips GROUP BY CUBE (kind, paid)
SELECT kind, zone, sum(zone), grouping(kind), grouping(zone), grouping(kind, zone) FROM trips GROUP BY GROUPING SETS ((kind, zone), (zone), (kind), ())
SELECT kind, zone, sum(fare), avg(fare), min(zone), count(zone), count(*) FROM trips WHERE id < 0 GROUP BY ROLLUP (kind, zone)
SELECT kind, zone, sum(fare) FROM trips WHERE id < 0 GROUP BY GROUPING SETS ((kind, zone), (kind))
SELECT kind, zone FROM trips GROUP BY ROLLUP (kind, zone)
SELECT kind, zone, count(DISTINCT small), median(fare), stddev(distance) FROM trips GROUP BY ROLLUP (kind, zone)
SELECT z.borough, z.name, avg(t.fare), rank() OVER (PARTITION BY grouping(z.name) ORDER BY sum(t.fare) DESC) FROM trips t JOIN zones z ON t.zone = z.zone_id GROUP BY ROLLUP (z.borough, z.name)
SELECT id FROM trips WHERE id IN (100,102,104,106,108,110,112,114,116,118,120,122,124,126,128,130,132,134,136,138,140,142,144,146,148,150,152,154,156,158,160,162,164,166,168,170,172,174,176,178,180,182,184,186,188,190,192,194,196,198,200,202,204,206,208,210,212,214,216,218,220,222,224,226,228,230,232,234,236,238,240,242,244,246,248,250,252,254,256,258,260,262,264,266,268,270,272,274,276,278,280,282,284,286,288,290,292,294,296,298,300,302,304,306,308,310,312,314,316,318,320,322,324,326,328,330,332,334,336,338,340,342,344,346,348,350,352,354,356,358,360,362,364,366,368,370,372,374,376,378,380,382,384,386,388,390,392,394,396,398,400,402,404,406,408,410,412,414,416,418,420,422,424,426,428,430,432,434,436,438,440,442,444,446,448,450,452,454,456,458,460,462,464,466,468,470,472,474,476,478,480,482,484,486,488,490,492,494,496,498,500,502,504,506,508,510,512,514,516,518,520,522,524,526,528,530,532,534,536,538,540,542,544,546,548,550,552,554,556,558,560,562,564,566,568,570,572,574,576,578,580,582,584,586,588,590,592,594,596,598,600,602,604,606,608,610,612,614,616,618,620,622,624,626,628,630,632,634,636,638,640,642,644,646,648,650,652,654,656,658,660,662,664,666,668,670,672,674,676,678,680,682,684,686,688,690,692,694,696,698,700,702,704,706,708,710,712,714,716,718,720,722,724,726,728,730,732,734,736,738,740,742,744,746,748,750,752,754,756,758,760,762,764,766,768,770,772,774,776,778,780,782,784,786,788,790,792,794,796,798,800,802,804,806,808,810,812,814,816,818,820,822,824,826,828,830,832,834,836,838,840,842,844,846,848,850,852,854,856,858,860,862,864,866,868,870,872,874,876,878,880,882,884,886,888,890,892,894,896,898,900,902,904,906,908,910,912,914,916,918,920,922,924,926,928,930,932,934,936,938,940,942,944,946,948,950,952,954,956,958,960,962,964,966,968,970,972,974,976,978,980,982,984,986,988,990,992,994,996,998,1000,1002,1004,1006,1008,1010,1012,1014,1016,1018,1020,1022,1024,1026,1028,1030,1032,1034,1036,1038,1040,1042,1044,1046,1048,1050,1052,1054,1056,1058,1060,1062,1064,1066,1068,1070,1072,1074,1076,1078,1080,1082,1084,1086,1088,1090,1092,1094,1096,1098,1100,1102,1104,1106,1108,1110,1112,1114,1116,1118,1120,1122,1124,1126,1128,1130,1132,1134,1136,1138,1140,1142,1144,1146,1148,1150,1152,1154,1156,1158,1160,1162,1164,1166,1168,1170,1172,1174,1176,1178,1180,1182,1184,1186,1188,1190,1192,1194,1196,1198,1200,1202,1204,1206,1208,1210,1212,1214,1216,1218,1220,1222,1224,1226,1228,1230,1232,1234,1236,1238,1240,1242,1244,1246,1248,1250,1252,1254,1256,1258,1260,1262,1264,1266,1268,1270,1272,1274,1276,1278,1280,1282,1284,1286,1288,1290,1292,1294,1296,1298,1300,1302,1304,1306,1308,1310,1312,1314,1316,1318,1320,1322,1324,1326,1328,1330,1332,1334,1336,1338,1340,1342,1344,1346,1348,1350,1352,1354,1356,1358,1360,1362,1364,1366,1368,1370,1372,1374,1376,1378,1380,1382,1384,1386,1388,1390,1392,1394,1396,1398,1400,1402,1404,1406,1408,1410,1412,1414,1416,1418,1420,1422,1424,1426,1428,1430,1432,1434,1436,1438,1440,1442,1444,1446,1448,1450,1452,1454,1456,1458,1460,1462,1464,1466,1468,1470,1472,1474,1476,1478,1480,1482,1484,1486,1488,1490,1492,1494,1496,1498,1500,1502,1504,1506,1508,1510,1512,1514,1516,1518,1520,1522,1524,1526,1528,1530,1532,1534,1536,1538,1540,1542,1544,1546,1548,1550,1552,1554,1556,1558,1560,1562,1564,1566,1568,1570,1572,1574,1576,1578,1580,1582,1584,1586,1588,1590,1592,1594,1596,1598,1600,1602,1604,1606,1608,1610,1612,1614,1616,1618,1620,1622,1624,1626,1628,1630,1632,1634,1636,1638,1640,1642,1644,1646,1648,1650,1652,1654,1656,1658,1660,1662,1664,1666,1668,1670,1672,1674,1676,1678,1680,1682,1684,1686,1688,1690,1692,1694,1696,1698,1700,1702,1704,1706,1708,1710,1712,1714,1716,1718,1720,1722,1724,1726,1728,1730,1732,1734,1736,1738,1740,1742,1744,1746,1748,1750,1752,1754,1756,1758,1760,1762,1764,1766,1768,1770,1772,1774,1776,1778,1780,1782,1784,1786,1788,1790,1792,1794,1796,1798,1800,1802,1804,1806,1808,1810,1812,1814,1816,1818,1820,1822,1824,1826,1828,1830,1832,1834,1836,1838,1840,1842,1844,1846,1848,1850,1852,1854,1856,1858,1860,1862,1864,1866,1868,1870,1872,1874,1876,1878,1880,1882,1884,1886,1888,1890,1892,1894,1896,1898,1900,1902,1904,1906,1908,1910,1912,1914,1916,1918,1920,1922,1924,1926,1928,1930,1932,1934,1936,1938,1940,1942,1944,1946,1948,1950,1952,1954,1956,1958,1960,1962,1964,1966,1968,1970,1972,1974,1976,1978,1980,1982,1984,1986,1988,1990,1992,1994,1996,1998,2000,2002,2004,2006,2008,2010,2012,2014,2016,2018,2020,2022,2024,2026,2028,2030,2032,2034,2036,2038,2040,2042,2044,2046,2048,2050,2052,2054,2056,2058,2060,2062,2064,2066,2068,2070,2072,2074,2076,2078,2080,2082,2084,2086,2088,2090,2092,2094,2096,2098,2100,2102,2104,2106,2108,2110,2112,2114,2116,2118,2120,2122,2124,2126,2128,2130,2132,2134,2136,2138,2140,2142,2144,2146,2148,2150,2152,2154,2156,2158,2160,2162,2164,2166,2168,2170,2172,2174,2176,2178,2180,2182,2184,2186,2188,2190,2192,2194,2196,2198,2200,2202,2204,2206,2208,2210,2212,2214,2216,2218,2220,2222,2224,2226,2228,2230,2232,2234,2236,2238,2240,2242,2244,2246,2248,2250,2252,2254,2256,2258,2260,2262,2264,2266,2268,2270,2272,2274,2276,2278,2280,2282,2284,2286,2288,2290,2292,2294,2296,2298,2300,2302,2304,2306,2308,2310,2312,2314,2316,2318,2320,2322,2324,2326,2328,2330,2332,2334,2336,2338,2340,2342,2344,2346,2348,2350,2352,2354,2356,2358,2360,2362,2364,2366,2368,2370,2372,2374,2376,2378,2380,2382,2384,2386,2388,2390,2392,2394,2396,2398,2400,2402,2404,2406,2408,2410,2412,2414,2416,2418,2420,2422,2424,2426,2428,2430,2432,2434,2436,2438,2440,2442,2444,2446,2448,2450,2452,2454,2456,2458,2460,2462,2464,2466,2468,2470,2472,2474,2476,2478,2480,2482,2484,2486,2488,2490,2492,2494,2496,2498,2500,2502,2504,2506,2508,2510,2512,2514,2516,2518,2520,2522,2524,2526,2528,2530,2532,2534,2536,2538,2540,2542,2544,2546,2548,2550,2552,2554,2556,2558,2560,2562,2564,2566,2568,2570,2572,2574,2576,2578,2580,2582,2584,2586,2588,2590,2592,2594,2596,2598,2600) OR id + 1000 NOT IN (900,903,906,909,912,915,918,921,924,927,930,933,936,939,942,945,948,951,954,957,960,963,966,969,972,975,978,981,984,987,990,993,996,999,1002,1005,1008,1011,1014,1017,1020,1023,1026,1029,1032,1035,1038,1041,1044,1047,1050,1053,1056,1059,1062,1065,1068,1071,1074,1077,1080,1083,1086,1089,1092,1095,1098,1101,1104,1107,1110,1113,1116,1119,1122,1125,1128,1131,1134,1137,1140,1143,1146,1149,1152,1155,1158,1161,1164,1167,1170,1173,1176,1179,1182,1185,1188,1191,1194,1197,1200,1203,1206,1209,1212,1215,1218,1221,1224,1227,1230,1233,1236,1239,1242,1245,1248,1251,1254,1257,1260,1263,1266,1269,1272,1275,1278,1281,1284,1287,1290,1293,1296,1299,1302,1305,1308,1311,1314,1317,1320,1323,1326,1329,1332,1335,1338,1341,1344,1347,1350,1353,1356,1359,1362,1365,1368,1371,1374,1377,1380,1383,1386,1389,1392,1395,1398,1401,1404,1407,1410,1413,1416,1419,1422,1425,1428,1431,1434,1437,1440,1443,1446,1449,1452,1455,1458,1461,1464,1467,1470,1473,1476,1479,1482,1485,1488,1491,1494,1497,1500,1503,1506,1509,1512,1515,1518,1521,1524,1527,1530,1533,1536,1539,1542,1545,1548,1551,1554,1557,1560,1563,1566,1569,1572,1575,1578,1581,1584,1587,1590,1593,1596,1599,1602,1605,1608,1611,1614,1617,1620,1623,1626,1629,1632,1635,1638,1641,1644,1647,1650,1653,1656,1659,1662,1665,1668,1671,1674,1677,1680,1683,1686,1689,1692,1695,1698,1701,1704,1707,1710,1713,1716,1719,1722,1725,1728,1731,1734,1737,1740,1743,1746,1749,1752,1755,1758,1761,1764,1767,1770,1773,1776,1779,1782,1785,1788,1791,1794,1797,1800,1803,1806,1809,1812,1815,1818,1821,1824,1827,1830,1833,1836,1839,1842,1845,1848,1851,1854,1857,1860,1863,1866,1869,1872,1875,1878,1881,1884,1887,1890,1893,1896,1899,1902,1905,1908,1911,1914,1917,1920,1923,1926,1929,1932,1935,1938,1941,1944,1947,1950,1953,1956,1959,1962,1965,1968,1971,1974,1977,1980,1983,1986,1989,1992,1995,1998,2001,2004,2007,2010,2013,2016,2019,2022,2025,2028,2031,2034,2037,2040,2043,2046,2049,2052,2055,2058,2061,2064,2067,2070,2073,2076,2079,2082,2085,2088,2091,2094,2097,2100,2103,2106,2109,2112,2115,2118,2121,2124,2127,2130,2133,2136,2139,2142,2145,2148,2151,2154,2157,2160,2163,2166,2169,2172,2175,2178,2181,2184,2187,2190,2193,2196,2199,2202,2205,2208,2211,2214,2217,2220,2223,2226,2229,2232,2235,2238,2241,2244,2247,2250,2253,2256,2259,2262,2265,2268,2271,2274,2277,2280,2283,2286,2289,2292,2295,2298,2301,2304,2307,2310,2313,2316,2319,2322,2325,2328,2331,2334,2337,2340,2343,2346,2349,2352,2355,2358,2361,2364,2367,2370,2373,2376,2379,2382,2385,2388,2391,2394,2397,2400,2403,2406,2409,2412,2415,2418,2421,2424,2427,2430,2433,2436,2439,2442,2445,2448,2451,2454,2457,2460,2463,2466,2469,2472,2475,2478,2481,2484,2487,2490,2493,2496,2499,2502,2505,2508,2511,2514,2517,2520,2523,2526,2529,2532,2535,2538,2541,2544,2547,2550,2553,2556,2559,2562,2565,2568,2571,2574,2577,2580,2583,2586,2589,2592,2595,2598,2601,2604,2607,2610,2613,2616,2619,2622,2625,2628,2631,2634,2637,2640,2643,2646,2649,2652,2655,2658,2661,2664,2667,2670,2673,2676,2679,2682,2685,2688,2691,2694,2697,2700,2703,2706,2709,2712,2715,2718,2721,2724,2727,2730,2733,2736,2739,2742,2745,2748,2751,2754,2757,2760,2763,2766,2769,2772,2775,2778,2781,2784,2787,2790,2793,2796,2799,2802,2805,2808,2811,2814,2817,2820,2823,2826,2829,2832,2835,2838,2841,2844,2847,2850,2853,2856,2859,2862,2865,2868,2871,2874,2877,2880,2883,2886,2889,2892,2895,2898,2901,2904,2907,2910,2913,2916,2919,2922,2925,2928,2931,2934,2937,2940,2943,2946,2949,2952,2955,2958,2961,2964,2967,2970,2973,2976,2979,2982,2985,2988,2991,2994,2997,3000,3003,3006,3009,3012,3015,3018,3021,3024,3027,3030,3033,3036,3039,3042,3045,3048,3051,3054,3057,3060,3063,3066,3069,3072,3075,3078,3081,3084,3087,3090,3093,3096,3099,3102,3105,3108,3111,3114,3117,3120,3123,3126,3129,3132,3135,3138,3141,3144,3147,3150,3153,3156,3159,3162,3165,3168,3171,3174,3177,3180,3183,3186,3189,3192,3195,3198,3201,3204,3207,3210,3213,3216,3219,3222,3225,3228,3231,3234,3237,3240,3243,3246,3249,3252,3255,3258,3261,3264,3267,3270,3273,3276,3279,3282,3285,3288,3291,3294,3297,3300,3303,3306,3309,3312,3315,3318,3321,3324,3327,3330,3333,3336,3339,3342,3345,3348,3351,3354,3357,3360,3363,3366,3369,3372,3375,3378,3381,3384,3387,3390,3393,3396,3399,3402,3405,3408,3411,3414,3417,3420,3423,3426,3429,3432,3435,3438,3441,3444,3447,3450,3453,3456,3459,3462,3465,3468,3471,3474,3477,3480,3483,3486,3489,3492,3495,3498,3501,3504,3507,3510,3513,3516,3519,3522,3525,3528,3531,3534,3537,3540,3543,3546,3549,3552,3555,3558,3561,3564,3567,3570,3573,3576,3579,3582,3585,3588,3591,3594,3597,3600,3603,3606,3609,3612,3615,3618,3621,3624,3627,3630,3633,3636,3639,3642,3645,3648,3651,3654,3657,3660,3663,3666,3669,3672,3675,3678,3681,3684,3687,3690,3693,3696,3699,3702,3705,3708,3711,3714,3717,3720,3723,3726,3729,3732,3735,3738,3741,3744,3747,3750,3753,3756,3759,3762,3765,3768,3771,3774,3777,3780,3783,3786,3789,3792,3795,3798,3801,3804,3807,3810,3813,3816,3819,3822,3825,3828,3831,3834,3837,3840,3843,3846,3849,3852,3855,3858,3861,3864,3867,3870,3873,3876,3879,3882,3885,3888,3891,3894,3897,3900,3903,3906,3909,3912,3915,3918,3921,3924,3927,3930,3933,3936,3939,3942,3945,3948,3951,3954,3957,3960,3963,3966,3969,3972,3975,3978,3981,3984,3987,3990,3993,3996,3999,4002,4005,4008,4011,4014,4017,4020,4023,4026,4029,4032,4035,4038,4041,4044,4047,4050,4053,4056,4059,4062,4065,4068,4071,4074,4077,4080,4083,4086,4089,4092,4095,4098,4101,4104,4107,4110,4113,4116,4119,4122,4125,4128,4131,4134,4137,4140,4143,4146,4149,4152,4155,4158,4161,4164,4167,4170,4173,4176,4179,4182,4185,4188,4191,4194,4197,4200,4203,4206,4209,4212,4215,4218,4221,4224,4227,4230,4233,4236,4239,4242,4245,4248,4251,4254,4257,4260,4263,4266,4269,4272,4275,4278,4281,4284,4287,4290,4293,4296,4299,4302,4305,4308,4311,4314,4317,4320,4323,4326,4329,4332,4335,4338,4341,4344,4347,4350,4353,4356,4359,4362,4365,4368,4371,4374,4377,4380,4383,4386,4389,4392,4395,4398,4401,4404,4407,4410,4413,4416,4419,4422,4425,4428,4431,4434,4437,4440,4443,4446,4449,4452,4455,4458,4461,4464,4467,4470,4473,4476,4479,4482,4485,4488,4491,4494,4497,4500)
SELECT id FROM trips t WHERE EXISTS (SELECT 1 FROM zones z WHERE EXISTS (SELECT 1 FROM kinds k WHERE k.kind = z.borough AND k.label > 'zzz'))
SELECT 'x' AS k, count(*) FROM trips WHERE id > 1000 AND EXISTS (SELECT 1 FROM zones WHERE zone_id = zone) GROUP BY 'x'
SELECT timestamp '2024-01-01 00:00:00' AS k, max(started) FROM trips WHERE EXISTS (SELECT 1 FROM zones WHERE zone_id = zone) GROUP BY 1
SELECT id FROM trips WHERE small NOT IN (SELECT 3 FROM zones WHERE zone_id = zone)
SELECT id FROM trips WHERE paid NOT IN (SELECT true FROM zones WHERE zone_id = zone)
SELECT id, (SELECT min(zone_id) FROM zones WHERE zone_id = zone AND (borough = 'east' AND borough < borough)) FROM trips
SELECT t.id, z.zone_id FROM trips t LEFT JOIN zones z ON t.fare IS NOT DISTINCT FROM CAST(z.zone_id AS double)
SELECT v.id, w.id FROM visits v LEFT JOIN visits w ON v.seen = w.noted
SELECT v.id, w.id FROM visits v FULL JOIN visits w ON v.seen IS NOT DISTINCT FROM w.day
SELECT zone > '1', count(*) FROM trips GROUP BY zone > '1'
SELECT zone > '1', count(*) FROM trips GROUP BY 1
SELECT zone > '1' AS k, day = '2024-01-26', count(*) FROM trips GROUP BY ROLLUP (k, day = '2024-01-26')
SELECT day > '2024-01-26' AS k, count(*) FROM trips GROUP BY day > '2024-01-26' HAVING count(*) > 2 ORDER BY k
SELECT CASE WHEN zone > 1 THEN fare ELSE zone END, count(*) FROM trips GROUP BY CASE WHEN zone > 1 THEN fare ELSE zone END UNION ALL SELECT 1.5, 2
SELECT CAST(nullif(trunc(fare, 1), 2) AS varchar), CAST(nullif(round(fare, 1), 2) AS varchar), CAST(coalesce(round(fare), 1) AS varchar) FROM trips
SELECT count(*) FROM trips WHERE EXISTS (SELECT zone FROM trips INTERSECT ALL SELECT zone_id FROM zones)
SELECT x.c1 FROM (SELECT nullif(t.note, z.name) AS c1, (SELECT min(k.label) FROM kinds k WHERE k.kind = t.kind AND k.label < 'a' AND k.label > 'b') AS c2 FROM trips t JOIN zones z ON t.small = z.zone_id AND t.kind = z.borough) x
SELECT x.c1 FROM (SELECT coalesce(z.name, t.note) AS c1, (SELECT min(k.label) FROM kinds k WHERE k.kind = t.kind) AS c2 FROM trips t JOIN zones z ON t.small = z.zone_id) x
SELECT kind, count(*) FROM trips GROUP BY ROLLUP (kind, kind)
SELECT kind, zone, count(*) FROM trips GROUP BY CUBE (kind, zone, kind)
SELECT zone FROM trips WHERE zone IS NULL UNION ALL SELECT fare * 0.001 FROM trips WHERE id < 3 UNION ALL SELECT sum(fare) FROM trips
SELECT t.id, x.started FROM trips t JOIN (SELECT u.started, u.day FROM trips u WHERE u.small = (SELECT sum(v.zone) FROM trips v WHERE v.id < u.id AND v.id > 196) OR u.paid) AS x ON t.day = x.day WHERE t.id < 20
SELECT z.name, x.n FROM zones z JOIN (SELECT u.zone, (SELECT count(*) FROM trips v WHERE v.id < u.id) AS n FROM trips u) AS x ON z.zone_id = x.zone
SELECT id FROM trips WHERE CAST(NULL AS TIMESTAMP) NOT IN (SELECT noted FROM visits WHERE visits.id = trips.zone)
SELECT id FROM trips WHERE NULL NOT IN (SELECT zone_id FROM zones WHERE zone_id = zone AND borough = 'east')
SELECT id FROM trips WHERE NULL IN (SELECT zone_id FROM zones WHERE zone_id = zone)
SELECT id, NULL IN (SELECT zone_id FROM zones WHERE zone_id = zone) FROM trips
SELECT id FROM trips WHERE CAST(NULL AS INTEGER) NOT IN (SELECT zone_id FROM zones WHERE zone_id > 100)
SELECT id FROM trips WHERE zone NOT IN (SELECT zone_id FROM zones WHERE NULL NOT IN (SELECT kind FROM kinds WHERE kind = name))
SELECT * FROM (SELECT zone, max(id) AS m FROM trips GROUP BY CUBE (zone)) AS t WHERE date_trunc('week', DATE '2024-02-29') > DATE '2024-02-29'
SELECT m FROM (SELECT max(id) AS m FROM trips) AS t WHERE date_trunc('week', DATE '2024-02-29') > DATE '2024-02-29'
SELECT * FROM (SELECT zone, max(id) AS m FROM trips GROUP BY ROLLUP (zone)) AS t WHERE zone IS NULL AND date_trunc('week', DATE '2024-02-29') < DATE '2024-02-29'
SELECT t.zone, t.most FROM (SELECT zone, max(kind) AS most FROM trips GROUP BY zone) t JOIN (SELECT max(zone_id) AS z FROM zones) u ON u.z > 3 WHERE 1 > (SELECT count(k.label) FROM kinds k WHERE k.kind = t.most)
SELECT t.most, (SELECT count(*) FROM zones z WHERE z.borough = t.most) AS n FROM (SELECT zone, max(kind) AS most FROM trips GROUP BY zone) t JOIN (SELECT max(zone_id) AS z FROM zones) u ON u.z = 3 OR t.zone > 2
SELECT t.zone FROM (SELECT zone, max(kind) AS most FROM trips GROUP BY zone) t JOIN (SELECT max(zone_id) AS z FROM zones) u ON 3 = -1 WHERE 1 > (SELECT count(k.label) FROM kinds k WHERE k.kind = t.most)
SELECT kind, min(1) AS n FROM trips GROUP BY CUBE (kind, kind)
SELECT DISTINCT (CAST((CAST(NULL AS DATE) + 1) AS TIMESTAMP) + INTERVAL '90' HOUR) AS c1 FROM zones t1 RIGHT JOIN trips t2 ON t1.zone_id = t2.id JOIN kinds k ON t2.id = 4 WHERE t2.fare > (SELECT max(t9.fare + CAST(NULL AS DECIMAL(9, 2))) FROM trips t9 WHERE t9.zone = t1.zone_id)
SELECT id FROM (SELECT id, coalesce(date '2024-01-26', day) + 7 AS c2 FROM trips) AS t WHERE ((t.c2 IS NULL) OR (t.c2 IS DISTINCT FROM date '2024-01-26')) AND ((t.c2 >= t.c2) OR true)
SELECT t4.c1, max(t4.n) AS n FROM (SELECT 1.5 AS c1, z AS n FROM (SELECT min(zone) AS z FROM trips t WHERE t.fare > (SELECT min(u.fare) FROM trips u WHERE u.note < t.note)) t3) AS t4 WHERE 0.75 > 7.99 GROUP BY 1
SELECT t4.c1, count(*) AS n FROM (SELECT 1.5 AS c1, t.id FROM trips t WHERE t.fare > (SELECT min(u.fare) FROM trips u WHERE u.note < t.note)) AS t4 WHERE t4.id < 0 GROUP BY t4.c1
SELECT t4.c1 + 1 AS c1, count(*) AS n FROM (SELECT 1.5 AS c1, t.id FROM trips t WHERE t.fare > (SELECT min(u.fare) FROM trips u WHERE u.note < t.note)) AS t4 WHERE t4.id < 0 GROUP BY t4.c1 + 1
SELECT paid FROM trips WHERE CASE WHEN note <> note THEN started END = started GROUP BY 1 UNION SELECT t.paid FROM trips t WHERE t.fare <= (SELECT sum(u.fare) FROM trips u WHERE u.day = t.day) GROUP BY 1
SELECT x.id FROM trips x WHERE x.zone = (SELECT count(*) FROM (SELECT note FROM trips WHERE CASE WHEN note <> note THEN started END = started GROUP BY 1) y WHERE y.note = x.note)
SELECT t.id FROM trips t JOIN zones z ON t.note = CAST(true AS VARCHAR) AND t.zone = z.zone_id
SELECT c2 FROM (SELECT max(id) AS c1, note AS c2 FROM trips GROUP BY CUBE (note, note) HAVING min(0) >= 2) AS t WHERE contains(trim(t.c2), 'b')
SELECT 1 AS c1 FROM trips t1 RIGHT JOIN (SELECT t2.id AS c1 FROM trips t2 WHERE EXISTS (SELECT 1 FROM zones t3 WHERE t3.zone_id = t2.zone)) AS t4 ON t1.big = t4.c1 AND t1.distance = -0.25e0 WHERE 6 IS NOT DISTINCT FROM t1.distance
SELECT id FROM (SELECT id, distance FROM trips WHERE distance = 0.25e0) t1 WHERE t1.distance IS NOT DISTINCT FROM 6
SELECT DISTINCT (SELECT max(t4.fare) FROM trips t4 WHERE t4.fare = t3.fare AND NOT (t4.fare <= 5.25)) AS c FROM zones t2 JOIN trips t3 ON 0.50 IS NOT DISTINCT FROM t3.fare AND t3.id = -1 AND 10.75e0 IS NOT DISTINCT FROM t3.fare
SELECT DISTINCT (SELECT max(t4.c) FROM (SELECT CAST(id AS DECIMAL(9, 2)) AS c FROM trips) t4 WHERE t4.c = t3.c AND NOT (t4.c <= 5.25)) AS c FROM zones t2 JOIN (SELECT id, CAST(id AS DECIMAL(9, 2)) AS c FROM trips) t3 ON 0.50 IS NOT DISTINCT FROM t3.c AND t3.id = -1 AND 10.75e0 IS NOT DISTINCT FROM t3.c
SELECT t.id FROM trips t LEFT JOIN trips v ON t.kind = v.kind AND v.id < 3 WHERE t.kind NOT IN (SELECT u.kind FROM trips u WHERE u.kind = t.kind AND u.id < 5)
SELECT t.id FROM trips t LEFT JOIN zones z ON t.kind = 'day' WHERE t.kind NOT IN (SELECT u.kind FROM trips u WHERE u.kind = t.kind)
SELECT id FROM trips WHERE CAST(id AS DECIMAL(9, 2)) IS NOT DISTINCT FROM 3e0 OR 7.00 IS NOT DISTINCT FROM CAST(id AS double)
SELECT t3.c1 FROM (SELECT (SELECT max(trunc(t2.fare)) FROM trips t2 WHERE t2.small = t1.big) AS c1, t1.note FROM trips t1) AS t3 WHERE (EXISTS (SELECT 1 FROM trips t4 WHERE t4.fare = t3.c1 AND t4.distance <> t4.distance) OR (5.25e0 <= 3.75e0))
SELECT t3.c1 FROM (SELECT (SELECT max(trunc(t2.fare)) FROM trips t2 WHERE t2.zone = t1.small) AS c1, t1.note FROM trips t1) AS t3 WHERE NOT EXISTS (SELECT 1 FROM trips t4 WHERE t4.fare = t3.c1 AND t4.distance <> t4.distance)
SELECT s = ceil(s) AS q, s <> ceil(s) AS r, s IS DISTINCT FROM ceil(s) AS u, nullif(s, ceil(s)) AS n, s FROM (SELECT sum(fare + 0.25) AS s FROM trips GROUP BY zone, small) AS t
SELECT s FROM (SELECT sum(fare + 0.25) AS s FROM trips GROUP BY zone, small) AS t WHERE s = ceil(s)
SELECT t.s, u.s AS v FROM (SELECT zone, sum(fare + 0.25) AS s FROM trips GROUP BY zone) AS t JOIN (SELECT sum(fare + 0.25) AS s FROM trips GROUP BY zone) AS u ON ceil(t.s) = u.s
SELECT t.s, u.s AS v FROM (SELECT zone, sum(fare + 0.25) AS s FROM trips GROUP BY zone) AS t FULL JOIN (SELECT zone, sum(fare + 0.25) AS s FROM trips GROUP BY zone) AS u ON ceil(t.s) = u.s AND t.zone = u.zone
SELECT t.s, u.s AS v FROM (SELECT zone, sum(fare + 0.5) AS s FROM trips GROUP BY zone) AS t LEFT JOIN (SELECT zone, sum(fare + 0.5) AS s FROM trips GROUP BY zone) AS u ON ceil(t.s) IS NOT DISTINCT FROM u.s
SELECT id, CAST(CAST(small AS DOUBLE) AS VARCHAR) AS c FROM trips
SELECT x || '!' AS c FROM (SELECT CAST(y AS VARCHAR) AS x FROM (SELECT CAST(zone AS DOUBLE) AS y FROM trips) t) u
SELECT CAST(CAST(day AS TIMESTAMP) AS VARCHAR) AS c, CAST(CAST(small AS DECIMAL(9, 2)) AS VARCHAR) AS d FROM trips
SELECT t.zone AS c1, max((timestamp '2024-01-29 01:50:30.25' - INTERVAL '1' HOUR)) AS c2 FROM trips t WHERE NOT EXISTS (SELECT 1 FROM zones z WHERE z.zone_id < t.small) GROUP BY CUBE (t.zone, t.zone)
SELECT u.c1, k.kind FROM (SELECT t.zone AS c1, max(7) AS c2 FROM trips t WHERE NOT EXISTS (SELECT 1 FROM zones z WHERE z.zone_id < t.small) GROUP BY CUBE (t.zone, t.zone)) u JOIN kinds k ON u.c2 = 7
SELECT DISTINCT 1 AS c FROM (SELECT min(fare) AS a FROM trips) AS x FULL JOIN (SELECT max(fare) AS b FROM trips) AS y ON x.a = y.b + 1
SELECT count(*) AS n FROM (SELECT min(zone) AS a FROM trips) AS x FULL JOIN (SELECT max(zone) + 1 AS b FROM trips) AS y ON x.a = y.b
SELECT DISTINCT c FROM (SELECT 1 AS c, min(zone) AS z FROM trips) AS x WHERE NOT EXISTS (SELECT 1 FROM trips t WHERE t.zone = x.z + 100000)
SELECT id, translate(note, 'ab', 'x'), unicode(note), ascii(kind), ord(kind), nfc_normalize(note) FROM trips
SELECT id, levenshtein(kind, 'knight'), editdist3(kind, ''), damerau_levenshtein(kind, 'dya'), jaro_similarity(kind, 'night'), jaro_winkler_similarity(kind, 'nigth') FROM trips
SELECT id, hamming(kind || '.', reverse(kind || '.')), mismatches(kind || 'a', kind || 'b'), jaccard(kind || '.', 'daily') FROM trips
