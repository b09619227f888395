/* Code that is written while the program runs, in each way in which this may happen. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
typedef int (*fn)(void);
static void put(unsigned char *p, int v){ p[0]=0xb8; memcpy(p+1,&v,4); p[5]=0xc3; }
__attribute__((noinline)) static int self(unsigned char *p){ return ((fn)p)(); }
int main(void){
  long s=0;
  unsigned char *p=mmap(0,4096,7,MAP_PRIVATE|MAP_ANONYMOUS,-1,0);
  for(int i=0;i<1000;i++){ put(p,i); s=s*7+self(p); }
  printf("rwx %ld\n",s);
  unsigned char *q=mmap(0,4096,3,MAP_PRIVATE|MAP_ANONYMOUS,-1,0);
  for(int i=0;i<300;i++){ mprotect(q,4096,3); put(q,i); mprotect(q,4096,5); s=s*7+self(q); }
  printf("w^x %ld\n",s);
  int fd=memfd_create("x",0); ftruncate(fd,4096);
  unsigned char *w=mmap(0,4096,3,MAP_SHARED,fd,0), *x=mmap(0,4096,5,MAP_SHARED,fd,0);
  for(int i=0;i<300;i++){ put(w,i); s=s*7+self(x); }
  printf("dual %ld\n",s);
  int pp[2]; pipe(pp);
  for(int i=0;i<300;i++){ unsigned char b[6]; put(b,i); write(pp[1],b,6); read(pp[0],p,6); s=s*7+self(p); }
  printf("kernel %ld\n",s);
  for(int i=0;i<300;i++){ unsigned char*m=mmap(q,4096,7,MAP_PRIVATE|MAP_ANONYMOUS|MAP_FIXED,-1,0); put(m,i); mprotect(m,4096,5); s=s*7+self(m); }
  printf("remap %ld\n",s);
  /* an instruction that overwrites the next one: movb $imm, 1(next) ; mov $0,%eax; ret */
  unsigned char c[]={0xc6,0x05,0x01,0x00,0x00,0x00,0x2a, 0xb8,0,0,0,0, 0xc3};
  memcpy(p,c,sizeof c); s=s*7+self(p); printf("next %d\n",self(p));
  /* carry lives over a jump within written code */
  unsigned char f[]={0xf9, 0xeb,0x00, 0x0f,0x92,0xc0, 0x0f,0xb6,0xc0, 0xc3};
  memcpy(p,f,sizeof f); printf("carry %d\n",self(p));
  int (*volatile np)(int); int k=5; int nested(int v){ return v+k; }
  for(int i=0;i<100;i++){ k=i; np=nested; s=s*7+np(i);} printf("nested %ld\n",s);
  /* the program's own text */
  unsigned char *t=(unsigned char*)((unsigned long)&put & ~4095ul);
  extern int patched(void);
  unsigned char *o=(unsigned char*)&patched;
  unsigned char *pg=(unsigned char*)((unsigned long)o & ~4095ul);
  printf("patched %d\n", patched());
  for(int i=0;i<50;i++){ mprotect(pg,8192,7); put(o,i); mprotect(pg,8192,5); s=s*7+patched(); }
  printf("patched %d %ld\n", patched(), s);
  return s&127;
}
asm(".text\n.p2align 12\n.globl patched\npatched: mov $77,%eax\nret\n.p2align 12\n");
